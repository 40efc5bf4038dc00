import { parseEvents } from '../../api/events';

describe('parseEvents', () => {
  it('gives complete events and keeps the rest', () => {
    const text =
      'event: candidate_text\ndata: {"event":"candidate_text","index":0,"delta":"a"}\n\ndata: {"ev';
    expect(parseEvents(text)).toEqual({
      events: [{ event: 'candidate_text', index: 0, delta: 'a' }],
      rest: 'data: {"ev'
    });
  });

  it('passes over comments that keep a connection alive', () => {
    expect(parseEvents(': alive\n\n')).toEqual({ events: [], rest: '' });
  });

  it('reads line ends of either kind', () => {
    expect(
      parseEvents('data: {"event":"x"}\r\n\r\n').events.map(item => item.event)
    ).toEqual(['x']);
  });
});
