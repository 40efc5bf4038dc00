import type { Event } from '../../api/generated';
import type { IAttemptState } from '../../model/attempt';
import {
  begin,
  failed,
  IDLE,
  isRunning,
  reduce,
  rejudged,
  stopped
} from '../../model/attempt';
import { attempt, candidate, GENERATOR, trial, verdict } from '../records';

const NOW = Date.UTC(2026, 10, 30, 12, 4);

function run(state: IAttemptState, ...events: Event[]): IAttemptState {
  return events.reduce((before, event) => reduce(before, event, NOW), state);
}

const STARTED: Event = {
  event: 'attempt_started',
  attempt_id: 'a',
  generator: GENERATOR,
  candidates: 2
};

describe('an attempt', () => {
  it('gathers text, candidate, trial and verdict', () => {
    const state = run(
      begin(IDLE, NOW, false),
      STARTED,
      { event: 'candidate_text', index: 0, delta: 'df.' },
      { event: 'candidate_text', index: 0, delta: 'sum()' },
      { event: 'candidate_ready', candidate: candidate(0, 'df.sum()') },
      { event: 'trial_started', index: 0, waiting: null },
      { event: 'trial_judged', trial: trial(0) }
    );
    expect(state.candidates).toEqual([
      {
        index: 0,
        text: 'df.sum()',
        candidate: candidate(0, 'df.sum()'),
        running: false,
        waiting: null,
        outputs: [],
        trial: trial(0),
        judged: '2026-11-30T12:04:00.000Z',
        typed: false
      }
    ]);
    expect(isRunning(state)).toBe(true);
  });

  it('takes candidates in any order', () => {
    const state = run(begin(IDLE, NOW, false), {
      event: 'candidate_text',
      index: 2,
      delta: 'x'
    });
    expect(state.candidates.map(item => item.text)).toEqual(['', '', 'x']);
  });

  it('shows why a trial waits, and that it no longer does', () => {
    const waiting = run(begin(IDLE, NOW, false), {
      event: 'trial_started',
      index: 0,
      waiting: 'the kernel is running a cell'
    });
    expect(waiting.candidates[0].waiting).toBe('the kernel is running a cell');
    const running = run(waiting, {
      event: 'trial_started',
      index: 0,
      waiting: null
    });
    expect(running.candidates[0].waiting).toBeNull();
  });

  it('ends with the best candidate by its index, not its place', () => {
    const state = run(begin(IDLE, NOW, false), STARTED, {
      event: 'attempt_finished',
      attempt: attempt({ trials: [trial(2), trial(1)], best: 1 })
    });
    expect([state.phase, state.best, state.duration]).toEqual([
      'finished',
      1,
      2.4
    ]);
  });

  it('keeps what arrived when it is stopped', () => {
    const before = run(
      begin(IDLE, NOW, false),
      { event: 'candidate_text', index: 0, delta: 'df' },
      { event: 'trial_started', index: 0, waiting: null }
    );
    const state = stopped(before, NOW + 1500);
    expect([state.phase, state.duration]).toEqual(['stopped', 1.5]);
    expect(state.candidates[0]).toMatchObject({ text: 'df', running: false });
  });

  it('keeps what arrived when it fails, and says why', () => {
    const problem = {
      name: 'GeneratorError',
      reason: 'dropped',
      next_step: 'retry',
      layer: 'stream',
      retryable: true,
      line: null,
      column: null
    };
    const state = failed(
      run(begin(IDLE, NOW, false), {
        event: 'trial_judged',
        trial: trial(0)
      }),
      problem,
      NOW
    );
    expect([state.phase, state.problem, state.candidates.length]).toEqual([
      'failed',
      problem,
      1
    ]);
  });

  it('appends code that was edited behind the candidates it came from', () => {
    const first = run(
      begin(IDLE, NOW, false),
      { event: 'trial_judged', trial: trial(0) },
      { event: 'attempt_finished', attempt: attempt() }
    );
    const edited = trial(0, { status: 'failed' });
    const state = run(
      begin(first, NOW, true),
      { event: 'trial_judged', trial: edited },
      {
        event: 'attempt_finished',
        attempt: attempt({ trials: [edited], best: 0 })
      }
    );
    expect(state.candidates.map(item => item.trial?.verdict.status)).toEqual([
      'passed',
      'failed'
    ]);
    expect(state.best).toBe(1);
  });

  it('is judged again in place', () => {
    const before = run(begin(IDLE, NOW, false), {
      event: 'trial_judged',
      trial: trial(0, { status: 'failed' })
    });
    const state = rejudged(before, 0, verdict());
    expect(state.candidates[0].trial?.verdict.status).toBe('passed');
  });
});
