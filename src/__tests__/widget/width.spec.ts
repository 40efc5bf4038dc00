import { SplitPanel, StackedPanel, Widget } from '@lumino/widgets';
import { giveWidth } from '../../widget/width';

describe('giveWidth', () => {
  const outer = new SplitPanel({ orientation: 'horizontal', spacing: 0 });
  const main = new Widget();
  const side = new StackedPanel();
  const panel = new Widget();

  beforeAll(() => {
    side.addWidget(panel);
    outer.addWidget(main);
    outer.addWidget(side);
    Object.defineProperty(outer.node, 'clientWidth', { value: 1000 });
    Widget.attach(outer, document.body);
  });

  afterAll(() => outer.dispose());

  it.each([
    [400, [0.8, 0.2], [0.6, 0.4]],
    [400, [0.3, 0.7], [0.3, 0.7]],
    [900, [0.8, 0.2], [0.5, 0.5]]
  ])('of %d pixels makes %j of 1000 to %j', (pixels, before, after) => {
    outer.setRelativeSizes(before);
    jest.spyOn(outer, 'relativeSizes').mockReturnValue([...before]);
    const set = jest.spyOn(outer, 'setRelativeSizes').mockReturnValue();
    expect(giveWidth(panel, pixels)).toBe(true);
    const sizes = set.mock.calls[0]?.[0] ?? before;
    sizes.forEach((size, place) => expect(size).toBeCloseTo(after[place]));
    jest.restoreAllMocks();
  });

  it('does nothing outside a split', () => {
    expect(giveWidth(new Widget(), 400)).toBe(false);
  });
});
