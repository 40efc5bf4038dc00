import '@testing-library/jest-dom';
import { nullTranslator } from '@jupyterlab/translation';
import { fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import type { IControlsProps } from '../../view/Controls';
import { Controls } from '../../view/Controls';
import { Declared } from '../../view/Declared';
import type { IExpectedProps } from '../../view/expectation';
import { Expected } from '../../view/Expected';
import { Panel } from '../../view/Panel';
import type { IStatusLineProps, KernelView } from '../../view/StatusLine';
import { StatusLine } from '../../view/StatusLine';
import { Task } from '../../view/Task';
import { GENERATOR, NOTHING_EXPECTED, POLICY } from '../records';

const trans = nullTranslator.load('exeds_lab');
const click = (name: string) =>
  fireEvent.click(screen.getByRole('button', { name }));

describe('the panel without', () => {
  it('a notebook says to open one', () => {
    render(
      <Panel
        trans={trans}
        serverProblem={null}
        notebook={null}
        onRetryServer={jest.fn()}
      />
    );
    expect(screen.getByText(/Open a notebook/)).toBeInTheDocument();
  });

  it('its server part says so and tries again', () => {
    const retry = jest.fn();
    render(
      <Panel
        trans={trans}
        serverProblem={{
          name: 'ServerExtensionMissing',
          reason: 'The server part does not answer.',
          next_step: 'Enable it.',
          layer: null,
          retryable: true,
          line: null,
          column: null
        }}
        notebook={null}
        onRetryServer={retry}
      />
    );
    expect(screen.getByRole('alert')).toHaveTextContent('Enable it.');
    click('Retry');
    expect(retry).toHaveBeenCalledTimes(1);
  });
});

describe('the status line', () => {
  function show(
    kernel: KernelView,
    change: Partial<IStatusLineProps> = {}
  ): IStatusLineProps {
    const props: IStatusLineProps = {
      trans,
      kernel,
      runningCell: null,
      isRunning: false,
      onStartKernel: jest.fn(),
      onRestartKernel: jest.fn(),
      onRunAbove: jest.fn(),
      onCancel: jest.fn(),
      ...change
    };
    render(<StatusLine {...props} />);
    return props;
  }

  it('is not there when all is well', () => {
    show({ kind: 'ready' });
    expect(screen.queryByRole('status')).toBeNull();
  });

  it.each([
    [{ kind: 'none' }, 'Start kernel', 'onStartKernel'],
    [{ kind: 'dead' }, 'Restart kernel', 'onRestartKernel'],
    [{ kind: 'restarted' }, 'Run all above', 'onRunAbove']
  ] as const)('for a kernel %j offers %s', (kernel, name, callback) => {
    const props = show(kernel);
    click(name);
    expect(props[callback]).toHaveBeenCalledTimes(1);
  });

  it('names another language', () => {
    show({ kind: 'foreign', language: 'r' });
    expect(screen.getByRole('status')).toHaveTextContent(
      'Checking works for Python kernels, this one speaks r; you can still generate.'
    );
  });

  it('names the cell that runs, and cancels what waits for it', () => {
    const props = show(
      { kind: 'ready' },
      { runningCell: 'time.sleep(9)', isRunning: true }
    );
    expect(screen.getByRole('status')).toHaveTextContent(
      'The kernel is running the cell “time.sleep(9)”; a check starts when it is done.'
    );
    click('Cancel');
    expect(props.onCancel).toHaveBeenCalledTimes(1);
  });
});

describe('the one button', () => {
  function show(change: Partial<IControlsProps>): IControlsProps {
    const props: IControlsProps = {
      trans,
      isRunning: false,
      started: null,
      count: 3,
      generator: GENERATOR,
      blocked: null,
      onGenerate: jest.fn(),
      onStop: jest.fn(),
      onCount: jest.fn(),
      ...change
    };
    render(<Controls {...props} />);
    return props;
  }

  it('generates', () => {
    const props = show({});
    fireEvent.click(screen.getByRole('button', { name: /Generate & check/ }));
    expect(props.onGenerate).toHaveBeenCalledTimes(1);
  });

  it('stops what runs, and shows how long it has run', () => {
    const props = show({ isRunning: true, started: Date.now() - 3000 });
    fireEvent.click(screen.getByRole('button', { name: /Stop/ }));
    expect(props.onStop).toHaveBeenCalledTimes(1);
    expect(screen.getByText('3.0 s')).toBeInTheDocument();
  });

  it('says why it cannot be used', () => {
    show({ blocked: 'Say first what the code should do.' });
    expect(
      screen.getByRole('button', { name: /Generate & check/ })
    ).toBeDisabled();
    expect(
      screen.getByText('Say first what the code should do.')
    ).toBeInTheDocument();
  });
});

describe('the expectation', () => {
  function show(change: Partial<IExpectedProps>): IExpectedProps {
    const props: IExpectedProps = {
      trans,
      draft: {
        kind: 'table',
        text: 'a,b',
        target: 'last',
        output: null,
        onlyRows: false,
        onlyColumns: false
      },
      expectation: NOTHING_EXPECTED,
      problem: null,
      pending: false,
      policy: POLICY,
      presets: { strict: { ...POLICY, rel_tol: 0 } },
      variables: ['df'],
      outputs: [{ id: 'c', executionCount: 7, source: 'df.head()' }],
      guarded: [{ name: 'df', on: true }],
      render: () => () => undefined,
      onDraft: jest.fn(),
      onOutput: jest.fn(),
      onPolicy: jest.fn(),
      onGuard: jest.fn(),
      ...change
    };
    render(<Expected {...props} />);
    return props;
  }

  it('is typed', () => {
    const props = show({});
    fireEvent.change(screen.getByRole('textbox', { name: 'Expected result' }), {
      target: { value: 'a,b\n1,2' }
    });
    expect(props.onDraft).toHaveBeenCalledWith({ text: 'a,b\n1,2' });
  });

  it('of printed text looks at what is printed', () => {
    const props = show({});
    fireEvent.change(
      screen.getByRole('combobox', { name: 'Kind of expected result' }),
      { target: { value: 'text' } }
    );
    expect(props.onDraft).toHaveBeenCalledWith({
      kind: 'text',
      output: null,
      target: 'stdout'
    });
  });

  it('may be the output of a cell', () => {
    const draft = {
      kind: 'output',
      text: '',
      target: 'last',
      output: null,
      onlyRows: false,
      onlyColumns: false
    } as const;
    const props = show({ draft });
    fireEvent.change(screen.getByRole('combobox', { name: 'Cell' }), {
      target: { value: 'c' }
    });
    expect(props.onOutput).toHaveBeenCalledWith('c', 7);
  });

  it('changes its policy by switches', () => {
    const props = show({});
    click('change…');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Row order' }));
    expect(props.onPolicy).toHaveBeenCalledWith({
      ...POLICY,
      check_row_order: false
    });
  });

  it('guards variables', () => {
    const props = show({});
    fireEvent.click(
      screen.getByRole('checkbox', { name: 'df must not change' })
    );
    expect(props.onGuard).toHaveBeenCalledWith('df', false);
  });

  it('that cannot be read says where', () => {
    render(
      <Declared
        trans={trans}
        expectation={null}
        problem={{
          name: 'ExpectationError',
          reason: 'This row has 3 fields, the header 2.',
          next_step: 'Remove one.',
          layer: null,
          retryable: false,
          line: 4,
          column: 7
        }}
        pending={false}
        render={() => () => undefined}
      />
    );
    expect(screen.getByRole('alert')).toHaveTextContent('(line 4, column 7)');
  });
});

it('the task follows its cell again', () => {
  const onIntent = jest.fn();
  render(
    <Task
      trans={trans}
      intent="Sum it"
      hasCell={true}
      isTyped={true}
      isElsewhere={false}
      onIntent={onIntent}
      onFollow={jest.fn()}
    />
  );
  click('From the cell');
  expect(onIntent).toHaveBeenCalledWith(null);
});
