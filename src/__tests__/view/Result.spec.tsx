import '@testing-library/jest-dom';
import { nullTranslator } from '@jupyterlab/translation';
import { fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import type { Trial } from '../../api/generated';
import { newsOf } from '../../view/Announcer';
import { fenced } from '../../view/CandidateDetail';
import type { ICandidateItem } from '../../view/CandidateList';
import { withoutLabel } from '../../view/CandidateList';
import { effectsLine } from '../../view/Effects';
import type { IResultProps } from '../../view/Result';
import { Result } from '../../view/Result';
import { execution, trial } from '../records';

const trans = nullTranslator.load('exeds_lab');

function item(judged: Trial): ICandidateItem {
  return {
    index: judged.candidate.index,
    text: '',
    candidate: judged.candidate,
    running: false,
    waiting: null,
    outputs: [],
    trial: judged,
    typed: false
  };
}

const PASSED = item(trial(0));
const FAILED = item(
  trial(1, {
    status: 'failed',
    failure: 'wrong_order',
    headline: 'Wrong order: equal after sorting',
    accept: 'check_row_order'
  })
);

function show(change: Partial<IResultProps>): IResultProps {
  const props: IResultProps = {
    trans,
    phase: 'finished',
    items: [PASSED, FAILED],
    selected: PASSED,
    duration: 2.4,
    problem: null,
    isRunning: false,
    isEditing: false,
    render: (bundle, host) => {
      host.textContent = String(bundle['text/plain']);
      return () => undefined;
    },
    onSelect: jest.fn(),
    onRetry: jest.fn(),
    onAccept: jest.fn(),
    onInsert: jest.fn(),
    onPlace: jest.fn(),
    onEdit: jest.fn(),
    onCheck: jest.fn(),
    ...change
  };
  render(<Result {...props} />);
  return props;
}

const click = (name: string) =>
  fireEvent.click(screen.getByRole('button', { name }));

describe('the result', () => {
  it('lists each candidate with sign, label and near miss', () => {
    show({});
    expect(
      screen.getAllByRole('option').map(option => option.textContent)
    ).toEqual([
      '✔1Passeddf.sum()0.05 s',
      '✖2Wrong orderequal after sorting0.05 s'
    ]);
  });

  it('selects a candidate', () => {
    const props = show({});
    fireEvent.click(screen.getAllByRole('option')[1]);
    expect(props.onSelect).toHaveBeenCalledWith(1);
  });

  it('inserts what passed at once', () => {
    const props = show({});
    click('Insert below');
    expect(props.onInsert).toHaveBeenCalledTimes(1);
  });

  it('shows the place while the button has focus', () => {
    const props = show({});
    const button = screen.getByRole('button', { name: 'Insert below' });
    fireEvent.focus(button);
    fireEvent.blur(button);
    expect(jest.mocked(props.onPlace).mock.calls).toEqual([[true], [false]]);
  });

  it('inserts what did not pass only after a second, explicit choice', () => {
    const props = show({ selected: FAILED });
    click('Insert anyway…');
    expect(props.onInsert).not.toHaveBeenCalled();
    click('Insert anyway, marked unverified');
    expect(props.onInsert).toHaveBeenCalledTimes(1);
  });

  it('lets a near miss pass', () => {
    const props = show({ selected: FAILED });
    click('Accept any row order');
    expect(props.onAccept).toHaveBeenCalledWith('check_row_order');
  });

  it('checks code that was edited', () => {
    const props = show({ isEditing: true });
    fireEvent.change(screen.getByRole('textbox', { name: 'Code to check' }), {
      target: { value: 'df.mean()' }
    });
    click('Check this code');
    expect(props.onCheck).toHaveBeenCalledWith('df.mean()');
  });

  it('names the failing layer, the reason and the next step, and tries again', () => {
    const props = show({
      phase: 'failed',
      items: [],
      selected: null,
      problem: {
        name: 'GeneratorError',
        reason: 'The stream broke off.',
        next_step: 'Try again.',
        layer: 'stream',
        retryable: true,
        line: null,
        column: null
      }
    });
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('layer: stream');
    expect(alert).toHaveTextContent('The stream broke off.');
    click('Retry');
    expect(props.onRetry).toHaveBeenCalledTimes(1);
    expect(screen.getByText('No candidate came.')).toBeInTheDocument();
  });

  it('shows an error with its line', () => {
    const raised = trial(0, { status: 'failed', failure: 'error' });
    const broken: Trial = {
      ...raised,
      execution: execution({
        outcome: {
          outcome: 'raised',
          ename: 'KeyError',
          evalue: "'Revenue'",
          traceback: ['Traceback', "KeyError: 'Revenue'"],
          line: 2
        }
      })
    };
    show({ selected: item(broken) });
    expect(
      screen.getByText("KeyError: 'Revenue' · line 2")
    ).toBeInTheDocument();
  });
});

it('a headline does not repeat its label', () => {
  expect(withoutLabel('Wrong order: equal after sorting', 'Wrong order')).toBe(
    'equal after sorting'
  );
  expect(withoutLabel('2 of 4 rows differ', 'Wrong value')).toBe(
    '2 of 4 rows differ'
  );
});

it('code cannot leave its markdown block', () => {
  expect(fenced('x = """\n```\n"""')).toBe(
    '````python\nx = """\n```\n"""\n````'
  );
});

it('effects are one line', () => {
  const { effects } = execution();
  expect(effects && effectsLine(effects, trans)).toBe(
    '0 of 14 variables changed · creates: result · wrote no files'
  );
});

describe('what a screen reader hears', () => {
  const writing = { ...PASSED, trial: null };

  it('is each candidate that arrives and each verdict, once', () => {
    const before = { phase: 'streaming', items: [] } as const;
    const arrived = { trans, phase: 'streaming', items: [writing] } as const;
    const judged = { trans, phase: 'finished', items: [PASSED] } as const;
    const copy = (state: {
      phase: 'streaming' | 'finished';
      items: readonly ICandidateItem[];
    }) => ({
      trans,
      phase: state.phase,
      items: [...state.items]
    });
    expect(newsOf(copy(before), copy(arrived))).toBe('Candidate 1 arrived.');
    expect(newsOf(copy(arrived), copy(judged))).toBe(
      'Candidate 1: Passed. Done.'
    );
    expect(newsOf(copy(judged), copy(judged))).toBe('');
  });
});
