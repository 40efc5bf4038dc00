// Which way arrows may point in src/, as docs/architecture.md draws it:
//
//   index -> commands, widget -> view, diff -> format
//            widget, commands -> model -> api
//   view and diff take only types, and only from api/generated

const ours = folders => `^src/(${folders})`;
const tests = '/__tests__/';

/** A folder of src/ may reach its own files and those named, and nothing else of ours. */
function only(folder, mayReach, comment) {
  return {
    name: `${folder}-reaches-only-its-own`,
    comment,
    severity: 'error',
    from: { path: `^src/${folder}(/|\\.ts)`, pathNot: tests },
    to: { path: '^src/', pathNot: `^src/(${[folder, ...mayReach].join('|')})` }
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Modules that need each other are one module, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true }
    },
    {
      name: 'nobody-imports-the-entry-point',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^src/index\\.ts$' }
    },
    {
      name: 'nobody-imports-a-test',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests }
    },
    {
      name: 'nothing-undeclared',
      comment: 'What the package needs stands in its package.json.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] }
    },
    only('format', ['api/generated'], 'Pure strings.'),
    only('api', [], 'The wire knows nothing of what shows it.'),
    only('model', ['api', 'format'], 'State and signals; no DOM.'),
    only(
      'view',
      ['diff', 'format', 'api/generated'],
      'Props in, callbacks out.'
    ),
    only(
      'diff',
      ['format', 'api/generated'],
      'One renderer a kind of difference.'
    ),
    only(
      'widget',
      ['view', 'diff', 'format', 'model', 'api'],
      'Shells that join model and view.'
    ),
    only(
      'commands',
      ['widget', 'model', 'api', 'format'],
      'Ids and registration.'
    ),
    {
      name: 'view-and-diff-take-only-types-from-the-wire',
      severity: 'error',
      from: { path: ours('view/|diff/|format'), pathNot: tests },
      to: { path: ours('api/'), dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'only-the-model-calls-the-server',
      severity: 'error',
      from: { path: ours('commands|widget/'), pathNot: tests },
      to: { path: ours('api/'), dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'the-model-has-no-dom',
      severity: 'error',
      from: { path: ours('model/|api/|format'), pathNot: tests },
      to: { path: 'node_modules/(react|react-dom|@jupyterlab/ui-components)/' }
    },
    {
      name: 'the-view-has-no-network',
      severity: 'error',
      from: { path: ours('view/|diff/|format'), pathNot: tests },
      to: {
        path: 'node_modules/@jupyterlab/services/',
        dependencyTypesNot: ['type-only']
      }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'types', 'default'],
      exportsFields: ['exports']
    }
  }
};
