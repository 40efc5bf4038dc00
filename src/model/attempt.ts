import type {
  Attempt,
  Candidate,
  Event,
  GeneratorInfo,
  Problem,
  Prompt,
  Trial,
  Verdict
} from '../api/generated';

/** Where an attempt stands. */
export type Phase =
  'idle' | 'prompting' | 'streaming' | 'finished' | 'stopped' | 'failed';

/** One candidate as far as it is known. */
export interface ICandidateState {
  /** 0-based place in the list, over all attempts of the task that are shown. */
  index: number;
  /** The reply so far. */
  text: string;
  /** Null until the reply is complete. */
  candidate: Candidate | null;
  /** Whether its trial has begun, or waits. */
  running: boolean;
  /** Why its trial waits; null when it does not. */
  waiting: string | null;
  /** nbformat outputs of a running trial. */
  outputs: Record<string, unknown>[];
  /** Null until it is judged. */
  trial: Trial | null;
  /** ISO 8601: when the verdict came; null until then. */
  judged: string | null;
  /** Whether the user typed the code. */
  typed: boolean;
}

/** All that one press of the button has brought so far. */
export interface IAttemptState {
  phase: Phase;
  generator: GeneratorInfo | null;
  prompt: Prompt | null;
  candidates: ICandidateState[];
  /** Where the candidates of the running attempt begin: earlier ones stay in the list. */
  offset: number;
  /** Milliseconds since the epoch; null when nothing ran. */
  started: number | null;
  /** Seconds of the last attempt; null while it runs. */
  duration: number | null;
  problem: Problem | null;
  /** Place of the candidate to show first; null until the end. */
  best: number | null;
}

export const IDLE: IAttemptState = {
  phase: 'idle',
  generator: null,
  prompt: null,
  candidates: [],
  offset: 0,
  started: null,
  duration: null,
  problem: null,
  best: null
};

/** Whether an attempt runs. */
export function isRunning(state: IAttemptState): boolean {
  return state.phase === 'prompting' || state.phase === 'streaming';
}

/**
 * A new attempt begins.
 *
 * @param keep - Whether the candidates so far stay in the list (edit and check again).
 */
export function begin(
  state: IAttemptState,
  now: number,
  keep: boolean
): IAttemptState {
  const candidates = keep ? state.candidates : [];
  return {
    ...IDLE,
    phase: 'prompting',
    prompt: keep ? state.prompt : null,
    generator: keep ? state.generator : null,
    candidates,
    offset: candidates.length,
    started: now
  };
}

/** The attempt was stopped by the user: what arrived stays. */
export function stopped(state: IAttemptState, now: number): IAttemptState {
  return { ...ended(state, now), phase: 'stopped' };
}

/** The attempt failed: what arrived stays. */
export function failed(
  state: IAttemptState,
  problem: Problem,
  now: number
): IAttemptState {
  return { ...ended(state, now), phase: 'failed', problem };
}

/** A candidate was judged again under another policy. */
export function rejudged(
  state: IAttemptState,
  index: number,
  verdict: Verdict
): IAttemptState {
  return update(state, index, item =>
    item.trial ? { ...item, trial: { ...item.trial, verdict } } : item
  );
}

/** One event of the stream. */
export function reduce(
  state: IAttemptState,
  event: Event,
  now: number
): IAttemptState {
  switch (event.event) {
    case 'attempt_started':
      return { ...state, generator: state.generator ?? event.generator };
    case 'prompt_ready':
      return { ...state, prompt: event.prompt };
    case 'candidate_text':
      return at(state, event.index, item => ({
        ...item,
        text: item.text + event.delta
      }));
    case 'candidate_ready':
      return at(state, event.candidate.index, item => ({
        ...item,
        candidate: event.candidate,
        typed: event.candidate.generator.kind === 'user'
      }));
    case 'trial_started':
      return at(state, event.index, item => ({
        ...item,
        running: true,
        waiting: event.waiting
      }));
    case 'trial_output':
      return at(state, event.index, item => ({
        ...item,
        outputs: [...item.outputs, event.output]
      }));
    case 'trial_judged':
      return at(state, event.trial.candidate.index, item =>
        judged(item, event.trial, now)
      );
    case 'attempt_finished':
      return finished(state, event.attempt, now);
  }
}

function finished(
  state: IAttemptState,
  attempt: Attempt,
  now: number
): IAttemptState {
  const trial = attempt.best === null ? null : attempt.trials[attempt.best];
  const best = trial ? state.offset + trial.candidate.index : null;
  return {
    ...ended(state, now),
    phase: attempt.status,
    problem: attempt.problem,
    duration: attempt.duration_s,
    prompt: attempt.prompt ?? state.prompt,
    best
  };
}

function judged(
  item: ICandidateState,
  trial: Trial,
  now: number
): ICandidateState {
  return {
    ...item,
    candidate: trial.candidate,
    running: false,
    waiting: null,
    outputs: trial.execution.outputs,
    trial,
    judged: new Date(now).toISOString()
  };
}

/** Nothing runs any more. */
function ended(state: IAttemptState, now: number): IAttemptState {
  const started = state.started ?? now;
  return {
    ...state,
    duration: (now - started) / 1000,
    candidates: state.candidates.map(item => ({
      ...item,
      running: false,
      waiting: null
    }))
  };
}

/** Change a candidate of the running attempt, which may be new. */
function at(
  state: IAttemptState,
  index: number,
  change: (item: ICandidateState) => ICandidateState
): IAttemptState {
  const place = state.offset + index;
  const candidates = [...state.candidates];
  while (candidates.length <= place) {
    candidates.push(empty(candidates.length));
  }
  return update({ ...state, phase: 'streaming', candidates }, place, change);
}

function update(
  state: IAttemptState,
  place: number,
  change: (item: ICandidateState) => ICandidateState
): IAttemptState {
  const candidates = state.candidates.map(item =>
    item.index === place ? change(item) : item
  );
  return { ...state, candidates };
}

function empty(index: number): ICandidateState {
  return {
    index,
    text: '',
    candidate: null,
    running: false,
    waiting: null,
    outputs: [],
    trial: null,
    judged: null,
    typed: false
  };
}
