import type { Problem } from './generated';

/** A failure of ours, with its reason and next step, thrown by every call. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.reason);
    this.name = problem.name;
  }
}

/** A problem found on this side of the wire. */
export function localProblem(
  name: string,
  reason: string,
  nextStep: string,
  retryable = true
): Problem {
  return {
    name,
    reason,
    next_step: nextStep,
    layer: null,
    retryable,
    line: null,
    column: null
  };
}

/** Whether a JSON value is a problem as the server writes it. */
export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Problem>).reason === 'string' &&
    typeof (value as Partial<Problem>).next_step === 'string'
  );
}

/** What any thrown value is to the user. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) {
    return error.problem;
  }
  return localProblem(
    error instanceof Error ? error.name : 'Error',
    error instanceof Error ? error.message : String(error),
    'Try again; if it stays, report it with the text of the browser console.'
  );
}
