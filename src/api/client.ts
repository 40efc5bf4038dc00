import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import { parseEvents } from './events';
import type {
  AttemptRequest,
  Event,
  ExpectationReply,
  ExpectationRequest,
  JudgeReply,
  JudgeRequest,
  Problem,
  Prompt,
  StatusReply,
  VariablesReply,
  VariablesRequest,
  paths
} from './generated';
import { isProblem, localProblem, ProblemError } from './problem';

/** What the model needs of a server; `Client` is the real one. */
export interface IClient {
  status(): Promise<StatusReply>;
  variables(request: VariablesRequest): Promise<VariablesReply>;
  expectation(request: ExpectationRequest): Promise<ExpectationReply>;
  prompt(request: AttemptRequest): Promise<Prompt>;
  judge(request: JudgeRequest): Promise<JudgeReply>;
  attempt(request: AttemptRequest, signal: AbortSignal): AsyncGenerator<Event>;
}

/** Typed calls of the server extension; every failure is a `ProblemError`. */
export class Client implements IClient {
  constructor(private readonly _settings: ServerConnection.ISettings) {}

  status(): Promise<StatusReply> {
    return this._json<StatusReply>('/exeds-lab/api/status');
  }

  variables(request: VariablesRequest): Promise<VariablesReply> {
    return this._json<VariablesReply>('/exeds-lab/api/variables', request);
  }

  expectation(request: ExpectationRequest): Promise<ExpectationReply> {
    return this._json<ExpectationReply>('/exeds-lab/api/expectation', request);
  }

  prompt(request: AttemptRequest): Promise<Prompt> {
    return this._json<Prompt>('/exeds-lab/api/prompt', request);
  }

  judge(request: JudgeRequest): Promise<JudgeReply> {
    return this._json<JudgeReply>('/exeds-lab/api/judge', request);
  }

  /**
   * The events of an attempt. Aborting the signal closes the request, which makes the server end
   * generator and trials at once; the generator then throws the abort.
   */
  async *attempt(
    request: AttemptRequest,
    signal: AbortSignal
  ): AsyncGenerator<Event> {
    const response = await this._send(
      '/exeds-lab/api/attempt',
      request,
      signal
    );
    const reader = response.body?.getReader();
    if (!reader) {
      return;
    }
    const decoder = new TextDecoder();
    let buffer = '';
    try {
      for (;;) {
        const { done, value } = await read(reader, signal);
        if (done) {
          return;
        }
        const parsed = parseEvents(
          buffer + decoder.decode(value, { stream: true })
        );
        buffer = parsed.rest;
        yield* parsed.events;
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  private async _json<T>(path: keyof paths, body?: object): Promise<T> {
    const response = await this._send(path, body);
    return (await response.json()) as T;
  }

  private async _send(
    path: keyof paths,
    body?: object,
    signal?: AbortSignal
  ): Promise<Response> {
    const url = URLExt.join(this._settings.baseUrl, path);
    const init: RequestInit =
      body === undefined
        ? { method: 'GET' }
        : { method: 'POST', body: JSON.stringify(body), signal };
    let response: Response;
    try {
      response = await ServerConnection.makeRequest(url, init, this._settings);
    } catch (error) {
      throw asFailure(error, signal);
    }
    if (!response.ok) {
      throw new ProblemError(await problemOf(response));
    }
    return response;
  }
}

/** One read of a stream; a connection that breaks is a problem with a name. */
async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch (error) {
    throw asFailure(error, signal);
  }
}

/** An abort stays itself; everything else means that the server is not reached. */
function asFailure(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) {
    return error;
  }
  return new ProblemError(
    localProblem(
      'ServerUnreachable',
      'The connection to the Jupyter server broke.',
      'Check that the server still runs, then try again.'
    )
  );
}

/** What a reply other than 2xx means. */
async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  if (isProblem(body)) {
    return body;
  }
  if (response.status === 404) {
    return localProblem(
      'ServerExtensionMissing',
      'The server part of exeds-lab does not answer.',
      'Run `jupyter server extension enable exeds_lab` where the server runs and restart it.'
    );
  }
  if (response.status === 403 || response.status === 401) {
    return localProblem(
      'NotSignedIn',
      'The Jupyter server refused the request.',
      'Sign in again (reload the page), then try once more.'
    );
  }
  return localProblem(
    'ServerError',
    `The Jupyter server answered ${response.status} ${response.statusText}.`,
    'Look into the log of the Jupyter server, then try again.'
  );
}
