import type { IClient } from '../../api/client';
import type {
  AttemptRequest,
  Event,
  ExpectationRequest
} from '../../api/generated';
import { localProblem, ProblemError } from '../../api/problem';
import type { ICellView } from '../../model/cells';
import { draftOf } from '../../model/expectation';
import { loosened, Work } from '../../model/work';
import {
  attempt,
  candidate,
  GENERATOR,
  NOTHING_EXPECTED,
  POLICY,
  trial,
  value,
  verdict
} from '../records';

/** A server in the test's hands. */
class TestClient implements IClient {
  attempts: AttemptRequest[] = [];
  expectations: ExpectationRequest[] = [];
  signals: AbortSignal[] = [];
  events: Event[] = [
    { event: 'trial_judged', trial: trial(0) },
    {
      event: 'attempt_finished',
      attempt: attempt({ trials: [trial(0)], best: 0 })
    }
  ];
  /** Resolves when the stream may go on; never set: it goes on at once. */
  held: Promise<void> | null = null;

  async status(): Promise<never> {
    throw new ProblemError(localProblem('Unused', 'unused', 'unused'));
  }

  async variables(): Promise<{ variables: [] }> {
    return { variables: [] };
  }

  async expectation(request: ExpectationRequest) {
    this.expectations.push(request);
    const problem =
      request.text === 'bad'
        ? localProblem('ExpectationError', 'cannot be read', 'write it so')
        : null;
    return { expectation: problem ? null : NOTHING_EXPECTED, problem };
  }

  async prompt(): Promise<never> {
    throw new ProblemError(localProblem('Unused', 'unused', 'unused'));
  }

  async judge() {
    return { verdict: verdict({ headline: 'judged again' }) };
  }

  async *attempt(
    request: AttemptRequest,
    signal: AbortSignal
  ): AsyncGenerator<Event> {
    this.attempts.push(request);
    this.signals.push(signal);
    for (const event of this.events) {
      yield event;
      await this.held;
    }
  }
}

function cell(id: string, change: Partial<ICellView['cell']>): ICellView {
  return {
    cell: {
      id,
      kind: 'code',
      source: `${id} = 1`,
      execution_count: 1,
      edited_since_run: false,
      ...change
    },
    running: false,
    hasOutput: false
  };
}

function make(): { work: Work; client: TestClient } {
  const client = new TestClient();
  const work = new Work('task', client, () => ({
    notebook: 'my notebook.ipynb',
    kernelId: 'kernel',
    cells: [
      cell('ran', {}),
      cell('edited', { edited_since_run: true }),
      cell('never', { execution_count: null }),
      cell('words', { kind: 'markdown', execution_count: null })
    ],
    cellText: 'Sum df, not raw',
    variables: [
      { name: 'df', description: value('df', null) },
      {
        name: 'raw',
        description: { ...value('raw', null), columns: null }
      },
      {
        name: 'other',
        description: { ...value('other', null), columns: null }
      }
    ],
    known: Promise.resolve(),
    policy: POLICY
  }));
  return { work, client };
}

describe('a task', () => {
  it('sends what the kernel holds and what the task names, and nothing else', async () => {
    const { work, client } = make();
    await work.generate(3, null);
    expect(client.attempts).toEqual([
      {
        intent: 'Sum df, not raw',
        cells: [
          cell('ran', {}).cell,
          cell('words', { kind: 'markdown', execution_count: null }).cell
        ],
        variables: ['df', 'raw'],
        notebook: 'my notebook.ipynb',
        cell_id: 'task',
        kernel_id: 'kernel',
        expectation: NOTHING_EXPECTED,
        candidates: 3,
        code: null
      }
    ]);
  });

  it("sends the user's choice of cells, variables and number", async () => {
    const { work, client } = make();
    work.chooseCell('ran', false);
    work.chooseCell('edited', true);
    work.chooseVariable('other', true);
    work.setCount(5);
    await work.generate(3, null);
    const [request] = client.attempts;
    expect(request.cells.map(item => item.id)).toEqual(['edited', 'words']);
    expect(request.variables).toEqual(['df', 'raw', 'other']);
    expect(request.candidates).toBe(5);
  });

  it('asks that tables do not change, unless the user says otherwise', async () => {
    const { work, client } = make();
    await work.expectation.read();
    work.protect('df', false);
    await work.expectation.read();
    expect(client.expectations.map(item => item.unchanged)).toEqual([
      ['df'],
      []
    ]);
  });

  it('starts nothing while the expectation cannot be read', async () => {
    const { work, client } = make();
    work.expectation.set({ kind: 'value', text: 'bad' });
    await work.generate(3, null);
    expect(client.attempts).toEqual([]);
    expect(work.expectation.problem?.reason).toBe('cannot be read');
  });

  it('is pristine until something of it could be lost', async () => {
    const { work } = make();
    expect(work.isPristine).toBe(true);
    work.setIntent('typed');
    expect(work.isPristine).toBe(false);
    work.setIntent(null);
    await work.generate(1, null);
    expect(work.isPristine).toBe(false);
  });

  it('aborts the request when it is stopped, and keeps what arrived', async () => {
    const { work, client } = make();
    let go: () => void = () => undefined;
    client.held = new Promise(resolve => (go = resolve));
    client.events = [
      { event: 'candidate_ready', candidate: candidate(0, 'df') },
      { event: 'trial_judged', trial: trial(0) }
    ];
    const done = work.generate(1, null);
    const arrived = new Promise<void>(resolve =>
      work.changed.connect(
        () => work.runner.state.candidates.length > 0 && resolve()
      )
    );
    await arrived;
    work.runner.stop();
    go();
    await done;
    expect(client.signals[0].aborted).toBe(true);
    expect(work.runner.state.phase).toBe('stopped');
    expect(work.runner.state.candidates).toHaveLength(1);
    expect(work.runner.state.candidates[0].trial).toBeNull();
  });

  it('names a stream that ends before its last event', async () => {
    const { work, client } = make();
    client.events = [
      {
        event: 'attempt_started',
        attempt_id: 'a',
        generator: GENERATOR,
        candidates: 1
      }
    ];
    await work.generate(1, null);
    expect([work.runner.state.phase, work.runner.state.problem?.name]).toEqual([
      'failed',
      'ServerUnreachable'
    ]);
  });

  it('keeps its candidates when edited code is checked, and shows the new one', async () => {
    const { work, client } = make();
    await work.generate(3, null);
    await work.generate(1, 'df.mean()');
    expect(client.attempts[1].code).toBe('df.mean()');
    expect(work.runner.state.candidates).toHaveLength(2);
    expect(work.selected?.index).toBe(1);
  });

  it('judges again under a looser policy without running anything', async () => {
    const { work, client } = make();
    await work.generate(1, null);
    await work.accept('check_row_order');
    expect(client.attempts).toHaveLength(1);
    expect(work.selected?.trial?.verdict.headline).toBe('judged again');
    expect(work.expectation.draft.policy).toEqual({
      ...POLICY,
      check_row_order: false
    });
  });
});

it.each([
  ['Fill the gaps of df', 'last', []],
  ['Fill the gaps', 'last', ['df']],
  ['Sum df', 'df', []]
])('the task %j with target %s protects %j', (intent, target, names) => {
  const { work } = make();
  work.setIntent(intent);
  work.expectation.set({ target });
  expect(work.protectedNames).toEqual(names);
  work.dispose();
});

it.each([
  ['check_row_order', { check_row_order: false }],
  ['check_dtypes', { check_dtypes: 'ignored' }],
  ['rel_tol', { rel_tol: 0.01 }]
])('a policy is loosened in %s alone', (field, change) => {
  expect(loosened(POLICY, field)).toEqual({ ...POLICY, ...change });
});

it('a stored expectation can be edited again', () => {
  expect(
    draftOf({
      ...NOTHING_EXPECTED,
      origin: 'declared',
      source: 'len(result) == 3',
      checks: [
        {
          name: 'check 1',
          target: { target: 'variable', name: 'out' },
          expected: { kind: 'expression', expression: 'len(result) == 3' },
          declared: true
        }
      ]
    })
  ).toEqual({
    kind: 'checks',
    text: 'len(result) == 3',
    target: 'out',
    output: null,
    onlyRows: false,
    onlyColumns: false,
    policy: POLICY
  });
});
