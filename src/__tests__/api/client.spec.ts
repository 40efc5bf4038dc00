import { ServerConnection } from '@jupyterlab/services';
import { Client } from '../../api/client';
import type { AttemptRequest, Event } from '../../api/generated';
import { ProblemError } from '../../api/problem';

/** A client of a server that answers what a test says. */
function clientOf(answer: (request: Request) => Response | Promise<Response>): {
  client: Client;
  seen: Request[];
} {
  const seen: Request[] = [];
  const settings = ServerConnection.makeSettings({
    baseUrl: 'http://127.0.0.1:9/hub/user/',
    fetch: async input => {
      const request = input as Request;
      seen.push(request);
      return answer(request);
    }
  });
  return { client: new Client(settings), seen };
}

/** A response whose body comes in these parts; jsdom has no streams. */
function stream(...parts: string[]): Response {
  const encoder = new TextEncoder();
  const left = parts.map(part => encoder.encode(part));
  const reader = {
    read: async () => ({ done: left.length === 0, value: left.shift() }),
    cancel: async () => undefined
  };
  const body = { getReader: () => reader };
  return { ok: true, status: 200, body } as unknown as Response;
}

async function collect(events: AsyncGenerator<Event>): Promise<string[]> {
  const kinds: string[] = [];
  for await (const event of events) {
    kinds.push(event.event);
  }
  return kinds;
}

const REQUEST = { intent: 'x' } as AttemptRequest;

describe('Client', () => {
  it('calls below the base URL, a hub prefix included', async () => {
    const { client, seen } = clientOf(
      () => new Response('{"variables":[]}', { status: 200 })
    );
    await expect(client.variables({ kernel_id: 'k' })).resolves.toEqual({
      variables: []
    });
    expect(seen[0].url.split('?')[0]).toBe(
      'http://127.0.0.1:9/hub/user/exeds-lab/api/variables'
    );
    expect(seen[0].method).toBe('POST');
  });

  it('throws the problem that the server names', async () => {
    const problem = {
      name: 'KernelDied',
      reason: 'The kernel died.',
      next_step: 'Restart it.',
      layer: null,
      retryable: false,
      line: null,
      column: null
    };
    const { client } = clientOf(
      () => new Response(JSON.stringify(problem), { status: 409 })
    );
    await expect(client.status()).rejects.toEqual(new ProblemError(problem));
  });

  it('names a missing server extension', async () => {
    const { client } = clientOf(() => new Response('', { status: 404 }));
    await expect(client.status()).rejects.toMatchObject({
      problem: { name: 'ServerExtensionMissing' }
    });
  });

  it('names a server that is not reached', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('refused')));
    await expect(client.status()).rejects.toMatchObject({
      problem: { name: 'ServerUnreachable', retryable: true }
    });
  });

  it('yields events however the stream is cut', async () => {
    const { client } = clientOf(() =>
      stream('data: {"event":"a"}\n', '\ndata: {"eve', 'nt":"b"}\n\n')
    );
    const events = client.attempt(REQUEST, new AbortController().signal);
    await expect(collect(events)).resolves.toEqual(['a', 'b']);
  });

  it('names no problem when it was stopped', async () => {
    const control = new AbortController();
    const { client } = clientOf(() => {
      control.abort();
      return Promise.reject(new DOMException('stop', 'AbortError'));
    });
    await expect(
      collect(client.attempt(REQUEST, control.signal))
    ).rejects.not.toBeInstanceOf(ProblemError);
  });
});
