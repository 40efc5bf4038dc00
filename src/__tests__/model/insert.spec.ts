import type { ISharedNotebook } from '@jupyter/ydoc';
import { NotebookModel } from '@jupyterlab/notebook';
import { indexOf, insertCode } from '../../model/insert';
import { METADATA_KEY, provenanceOf } from '../../model/provenance';
import { NOTHING_EXPECTED, trial } from '../records';

const RECORD = provenanceOf(trial(0), {
  intent: 'Sum it',
  taskCellId: 'cell',
  expectation: NOTHING_EXPECTED,
  promptFingerprint: null,
  checked: '2026-11-30T12:04:00Z'
});

const models: NotebookModel[] = [];

afterEach(() => models.splice(0).forEach(model => model.dispose()));

function make(): ISharedNotebook {
  const model = new NotebookModel({ disableDocumentWideUndoRedo: true });
  models.push(model);
  const shared = model.sharedModel;
  shared.insertCells(0, [
    { cell_type: 'markdown', source: '# Sum it' },
    { cell_type: 'code', source: 'b = 2' }
  ]);
  shared.clearUndoHistory();
  return shared;
}

const sources = (shared: ISharedNotebook) =>
  shared.cells.map(cell => cell.getSource());

describe('insertCode', () => {
  it('keeps the provenance in the new cell', () => {
    const shared = make();
    const id = insertCode(shared, 1, 'df.sum()', RECORD);
    expect(sources(shared)).toEqual(['# Sum it', 'df.sum()', 'b = 2']);
    expect(shared.cells[1].getId()).toBe(id);
    expect(shared.cells[1].getMetadata(METADATA_KEY)).toEqual(RECORD);
  });

  it('is one step: undo removes it, redo brings it back with its id', () => {
    const shared = make();
    const before = shared.cells.map(cell => cell.toJSON());
    const id = insertCode(shared, 1, 'df.sum()', RECORD);
    shared.undo();
    expect(shared.cells.map(cell => cell.toJSON())).toEqual(before);
    expect(shared.canUndo()).toBe(false);
    shared.redo();
    expect(shared.cells[1].getId()).toBe(id);
    expect(shared.cells[1].getMetadata(METADATA_KEY)).toEqual(RECORD);
  });

  it("does not merge with the user's own steps on either side", () => {
    const shared = make();
    shared.insertCell(2, { cell_type: 'code', source: 'mine' });
    insertCode(shared, 1, 'df.sum()', RECORD);
    shared.insertCell(0, { cell_type: 'code', source: 'also mine' });
    shared.undo();
    shared.undo();
    expect(sources(shared)).toEqual(['# Sum it', 'b = 2', 'mine']);
  });
});

describe('indexOf', () => {
  it('follows a cell that moved, and says when it is gone', () => {
    const shared = make();
    const id = shared.cells[0].getId();
    shared.insertCell(0, { cell_type: 'code', source: 'above' });
    expect(indexOf(shared, id)).toBe(1);
    shared.deleteCell(1);
    expect(indexOf(shared, id)).toBe(-1);
  });
});
