import {
  badgeState,
  contentId,
  provenanceOf,
  readProvenance
} from '../../model/provenance';
import { NOTHING_EXPECTED, trial } from '../records';

describe('contentId', () => {
  // Written by exeds_lab.model.record.content_id.
  it.each([
    ['', 'af5570f5a1810b7a'],
    ['x = 1\n', '893c4e6893fc8789'],
    ['größe → ✔', 'a55ffae861d2701f']
  ])('of %j is what Python says', (text, id) => {
    expect(contentId(text)).toBe(id);
  });
});

const ORIGIN = {
  intent: 'Sum it',
  taskCellId: 'cell',
  expectation: NOTHING_EXPECTED,
  promptFingerprint: null,
  checked: '2026-11-30T12:04:00Z'
};

describe('a badge', () => {
  const passed = provenanceOf(trial(0), ORIGIN);

  it('says verified for the code that passed', () => {
    expect(badgeState(passed, 'df.sum()')).toBe('verified');
  });

  it('says edited for any other code', () => {
    expect(badgeState(passed, 'df.sum() ')).toBe('edited');
  });

  it.each(['failed', 'partial', 'unchecked'] as const)(
    'says unverified for code whose verdict was %s',
    status => {
      const record = provenanceOf(trial(0, { status }), ORIGIN);
      expect(badgeState(record, 'df.sum()')).toBe('unverified');
    }
  );
});

describe('readProvenance', () => {
  it('reads what was written', () => {
    const record = provenanceOf(trial(0), ORIGIN);
    expect(readProvenance(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it.each([null, undefined, 3, 'x', {}, { schema_version: 2 }])(
    'takes %j for none',
    metadata => {
      expect(readProvenance(metadata)).toBeNull();
    }
  );
});
