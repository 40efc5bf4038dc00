const base = require('@jupyterlab/testing/lib/jest-config')(__dirname);

// Packages on the way to @jupyterlab/* that ship only ES modules.
const esModules = [
  '@codemirror',
  '@jupyter/',
  '@jupyterlab/',
  '@lezer',
  '@marijn',
  '@microsoft',
  '@rjsf',
  'color',
  'exenv-es6',
  'lib0',
  'lodash-es',
  'marked',
  'nanoid',
  'vscode-ws-jsonrpc',
  'y-protocols',
  'y-websocket',
  'yjs'
].join('|');

module.exports = {
  ...base,
  collectCoverageFrom: [
    'src/**/*.{ts,tsx}',
    '!src/**/__tests__/**',
    '!src/api/generated.ts'
  ],
  coverageReporters: ['text', 'lcov'],
  modulePathIgnorePatterns: [
    ...(base.modulePathIgnorePatterns ?? []),
    '<rootDir>/.venv',
    '<rootDir>/exeds_lab',
    '<rootDir>/lib',
    '<rootDir>/work'
  ],
  reporters: ['default'],
  testRegex: 'src/.*/.*\\.spec\\.tsx?$',
  transformIgnorePatterns: [`/node_modules/(?!${esModules}).+`]
};
