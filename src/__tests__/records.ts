import type {
  Attempt,
  Candidate,
  CheckResult,
  ComparePolicy,
  Difference,
  Execution,
  Expectation,
  GeneratorInfo,
  Trial,
  ValueDescription,
  Verdict
} from '../api/generated';

/** Records as the server sends them, for tests. */

export const POLICY: ComparePolicy = {
  check_row_order: true,
  check_column_order: true,
  check_column_names: true,
  check_dtypes: 'kind',
  check_index: 'declared',
  check_names: false,
  check_container: true,
  check_missing_kind: false,
  rel_tol: 1e-9,
  abs_tol: 1e-12,
  check_case: true,
  check_whitespace: false
};

export const NOTHING_EXPECTED: Expectation = {
  checks: [],
  policy: POLICY,
  origin: 'none',
  source: '',
  preview: []
};

const LABEL = 'Says what a test wants';

export const GENERATOR: GeneratorInfo = {
  kind: 'scripted',
  model: 'scripted',
  label: LABEL,
  leaves_machine: false
};

export function value(preview: string, html: string | null): ValueDescription {
  return {
    type: 'DataFrame',
    module: 'pandas',
    shape: [2, 2],
    columns: [],
    preview,
    html,
    size_bytes: null
  };
}

export function candidate(index: number, code: string): Candidate {
  return {
    id: `id-${index}`,
    index,
    code,
    reply: code,
    problem: null,
    generator: GENERATOR,
    note: null,
    temperature: 0,
    usage: { prompt_tokens: 10, completion_tokens: 5 },
    duration_s: 0.5
  };
}

export function execution(change: Partial<Execution> = {}): Execution {
  return {
    outcome: { outcome: 'completed' },
    outputs: [],
    truncated: false,
    result: null,
    facts: [],
    effects: {
      created: ['result'],
      rebound: [],
      deleted: [],
      mutated: [],
      unproven: [],
      variables: 14,
      files: []
    },
    duration_s: 0.01,
    total_s: 0.05,
    limits: { timeout_s: 20, memory_mb: 2048, output_bytes: 1, processes: 1 },
    strategy: 'fork',
    strategy_reason: 'a fork is safe here',
    protections: ['overlay', 'Landlock'],
    kernel: 'Python 3.11, ipykernel 7.4',
    ...change
  };
}

export function verdict(change: Partial<Verdict> = {}): Verdict {
  return {
    status: 'passed',
    passed: 1,
    total: 1,
    failure: null,
    headline: 'Passed: 1 of 1 checks',
    accept: null,
    results: [],
    policy: POLICY,
    judge_version: 1,
    ...change
  };
}

export function result(counted: Difference[]): CheckResult {
  return {
    check: 'result is the table',
    passed: counted.length === 0,
    counted,
    tolerated: [],
    facts: null
  };
}

export function trial(
  index: number,
  change: Partial<Verdict> = {},
  code = 'df.sum()'
): Trial {
  return {
    candidate: candidate(index, code),
    execution: execution(),
    verdict: verdict(change)
  };
}

export function attempt(change: Partial<Attempt> = {}): Attempt {
  return {
    id: 'attempt',
    task: {
      id: 'task',
      intent: 'Sum it',
      cells: [],
      variables: [],
      notebook: null,
      cell_id: null
    },
    expectation: NOTHING_EXPECTED,
    generator: GENERATOR,
    prompt: null,
    trials: [],
    best: null,
    status: 'finished',
    problem: null,
    started: '2026-11-30T12:00:00Z',
    duration_s: 2.4,
    ...change
  };
}
