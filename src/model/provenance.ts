import { digest } from 'lib0/hash/sha256';
import type { Expectation, Provenance, Trial } from '../api/generated';

/** Key of an inserted cell's metadata. */
export const METADATA_KEY = 'exeds_lab';

/**
 * A short stable id of some text, the same as `content_id` in `exeds_lab/model/record.py`: the
 * first 16 hex digits of a SHA-256 over the text behind its length in
 * characters (8 bytes, little endian).
 *
 * `crypto.subtle` is not used: pages served over plain HTTP do not have it.
 */
export function contentId(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const framed = new Uint8Array(8 + bytes.length);
  new DataView(framed.buffer).setUint32(0, Array.from(text).length, true);
  framed.set(bytes, 8);
  return Array.from(digest(framed).subarray(0, 8), byte =>
    byte.toString(16).padStart(2, '0')
  ).join('');
}

/** Where an inserted cell comes from. */
export interface IOrigin {
  intent: string;
  taskCellId: string | null;
  expectation: Expectation;
  promptFingerprint: string | null;
  /** ISO 8601, UTC: when the verdict was given. */
  checked: string;
}

/** The record that an inserted cell keeps. */
export function provenanceOf(trial: Trial, origin: IOrigin): Provenance {
  return {
    schema_version: 1,
    intent: origin.intent,
    task_cell_id: origin.taskCellId,
    expectation: origin.expectation,
    code_id: contentId(trial.candidate.code),
    status: trial.verdict.status,
    headline: trial.verdict.headline,
    generator: trial.candidate.generator,
    prompt_fingerprint: origin.promptFingerprint,
    checked: origin.checked,
    kernel: trial.execution.kernel
  };
}

/** What a badge says of a cell. */
export type BadgeState = 'verified' | 'edited' | 'unverified';

/** The metadata of a cell as provenance; null when it is none that this version reads. */
export function readProvenance(metadata: unknown): Provenance | null {
  const record = metadata as Partial<Provenance> | null | undefined;
  const readable =
    typeof record === 'object' &&
    record !== null &&
    record.schema_version === 1 &&
    typeof record.code_id === 'string' &&
    typeof record.status === 'string' &&
    typeof record.expectation === 'object' &&
    Array.isArray(record.expectation?.checks);
  return readable ? (record as Provenance) : null;
}

/** Whether the code that stands there is the code that was verified. */
export function badgeState(provenance: Provenance, source: string): BadgeState {
  if (contentId(source) !== provenance.code_id) {
    return 'edited';
  }
  return provenance.status === 'passed' ? 'verified' : 'unverified';
}
