import js from '@eslint/js';
import jupyter from '@jupyter/eslint-plugin';
import prettier from 'eslint-plugin-prettier/recommended';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Lines of code that a function may have; blank lines and comments are free. */
const functionLength = max => [
  'error',
  { max, skipBlankLines: true, skipComments: true }
];

export default defineConfig([
  {
    ignores: [
      '**/node_modules',
      '.venv',
      'lib',
      'coverage',
      'dist',
      'exeds_lab',
      'work',
      'schema/openapi.json',
      'src/api/generated.ts',
      '**/*.js',
      '**/*.cjs',
      '**/*.mjs'
    ]
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  { plugins: { jupyter } },
  jupyter.configs.recommended,
  {
    rules: {
      // The panel is put into the side area on activation: it is needed at once.
      'jupyter/prefer-lazy-imports': 'off'
    }
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { project: 'tsconfig.test.json' }
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-namespace': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { args: 'none' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // A switch over a closed union is one decision, however many its members.
      complexity: ['error', { max: 10, variant: 'modified' }],
      curly: 'error',
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'max-lines-per-function': functionLength(50),
      'no-console': ['error', { allow: ['warn', 'error'] }]
    }
  },
  {
    // A component is mostly markup.
    files: ['src/**/*.tsx'],
    rules: { 'max-lines-per-function': functionLength(150) }
  },
  {
    // Each activate fits on a screen.
    files: ['src/index.ts'],
    rules: { 'max-lines-per-function': functionLength(40) }
  },
  {
    files: ['src/**/__tests__/**'],
    languageOptions: { globals: { ...globals.jest } },
    rules: {
      // Nobody reads a test's labels, and its objects end with it.
      'jupyter/no-untranslated-string': 'off',
      'jupyter/require-disposable-ownership': 'off',
      'max-lines-per-function': 'off'
    }
  },
  {
    files: ['ui-tests/**/*.ts'],
    rules: {
      // A page's own objects reach a test without their types.
      '@typescript-eslint/no-explicit-any': 'off',
      'max-lines': ['error', 400]
    }
  },
  prettier
]);
