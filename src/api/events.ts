import type { Event } from './generated';

/** Events that are complete, and the text that still waits for its end. */
export interface IParsed {
  events: Event[];
  rest: string;
}

/** Split complete server-sent events off a text buffer. */
export function parseEvents(buffer: string): IParsed {
  const blocks = buffer.replace(/\r\n/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.map(dataOf).filter(data => data !== '');
  return { events: events.map(data => JSON.parse(data) as Event), rest };
}

/** The data lines of one block; empty for a comment (a keep-alive). */
function dataOf(block: string): string {
  return block
    .split('\n')
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice(5).replace(/^ /, ''))
    .join('\n');
}
