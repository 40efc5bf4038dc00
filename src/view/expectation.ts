import type { TranslationBundle } from '@jupyterlab/translation';
import type {
  ComparePolicy,
  Expectation,
  ExpectationRequest,
  Problem
} from '../api/generated';
import type { RenderBundle } from './Rendered';

export type Kind = ExpectationRequest['kind'];

/** What is declared so far, as typed. */
export interface IExpectedDraft {
  kind: Kind;
  text: string;
  target: string;
  output: { cellId: string; executionCount: number | null } | null;
  onlyRows: boolean;
  onlyColumns: boolean;
}

/** A cell whose output may be taken. */
export interface IOutputCell {
  id: string;
  executionCount: number | null;
  source: string;
}

export interface IExpectedProps {
  trans: TranslationBundle;
  draft: IExpectedDraft;
  expectation: Expectation | null;
  problem: Problem | null;
  pending: boolean;
  policy: ComparePolicy | null;
  presets: Record<string, ComparePolicy>;
  variables: string[];
  outputs: IOutputCell[];
  /** Variables that must not change, each with whether that is asked. */
  guarded: { name: string; on: boolean }[];
  render: RenderBundle;
  onDraft(change: Partial<IExpectedDraft>): void;
  onOutput(cellId: string, executionCount: number | null): void;
  onPolicy(policy: ComparePolicy): void;
  onGuard(name: string, on: boolean): void;
}
