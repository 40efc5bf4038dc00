import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

export interface IBoundaryProps {
  trans: TranslationBundle;
  children: React.ReactNode;
}

interface IBoundaryState {
  error: Error | null;
}

/** Shows what went wrong in a view in place of an empty panel; what runs goes on. */
export class Boundary extends React.Component<IBoundaryProps, IBoundaryState> {
  override state: IBoundaryState = { error: null };

  static getDerivedStateFromError(error: Error): IBoundaryState {
    return { error };
  }

  override render(): React.ReactNode {
    const { trans, children } = this.props;
    const { error } = this.state;
    if (!error) {
      return children;
    }
    return (
      <div className="jp-Exeds-problem" role="alert">
        <p>{trans.__('The panel could not be drawn: %1', error.message)}</p>
        <button
          type="button"
          className="jp-Exeds-button"
          onClick={() => this.setState({ error: null })}
        >
          {trans.__('Draw it again')}
        </button>
      </div>
    );
  }
}
