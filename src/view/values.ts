import type { ValueDescription } from '../api/generated';
import type { Bundle } from './Rendered';

/** The MIME bundle of a described value. */
export function bundleOf(value: ValueDescription): Bundle {
  return value.html === null
    ? { 'text/plain': value.preview }
    : { 'text/html': value.html, 'text/plain': value.preview };
}

/** The MIME bundle of an nbformat output. */
export function bundleOfOutput(output: Record<string, unknown>): Bundle {
  switch (output.output_type) {
    case 'stream':
      return { 'application/vnd.jupyter.stdout': joined(output.text) };
    case 'error':
      return {
        'application/vnd.jupyter.stderr': joined(
          Array.isArray(output.traceback)
            ? output.traceback.join('\n')
            : `${output.ename}: ${output.evalue}`
        )
      };
    default:
      return typeof output.data === 'object' && output.data !== null
        ? (output.data as Bundle)
        : {};
  }
}

/** nbformat text: a string or a list of lines. */
function joined(text: unknown): string {
  return Array.isArray(text) ? text.map(String).join('') : String(text ?? '');
}
