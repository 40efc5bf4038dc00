import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Prompt } from '../api/generated';
import { count } from '../format';

/** Exactly what is sent, message by message. */
export function PromptView(props: {
  trans: TranslationBundle;
  prompt: Prompt;
}): React.ReactElement {
  const { trans, prompt } = props;
  return (
    <div className="jp-Exeds-prompt">
      <p className="jp-Exeds-hint">
        {trans.__(
          'Exactly this is sent: about %1 of at most %2 tokens.',
          count(prompt.tokens),
          count(prompt.budget)
        )}
      </p>
      <ul className="jp-Exeds-parts">
        {prompt.parts.map(part => (
          <li key={part.name}>
            {part.name}: {count(part.tokens)}
            {part.cut && <> · {trans.__('left out: %1', part.cut)}</>}
          </li>
        ))}
      </ul>
      {prompt.messages.map((message, place) => (
        <figure key={place} className="jp-Exeds-message">
          <figcaption>{message.role}</figcaption>
          <pre tabIndex={0}>{message.content}</pre>
        </figure>
      ))}
    </div>
  );
}
