const base = require('@jupyterlab/galata/lib/playwright-config');

const port = place => Number(process.env.EXEDS_UI_PORT ?? '18888') + place;
const url = place => `http://127.0.0.1:${port(place)}`;

// The tests' own address of the scripted model server; see tests/servers/openai_server.py.
process.env.EXEDS_UI_MODEL = url(1);
// Galata's helpers build their own addresses from this one where a test gives none.
process.env.TARGET_URL = url(0);

/** A Jupyter server of its own; a blank model name leaves the generator that needs no key. */
const jupyter = (app, place, environment) => ({
  command: `jupyter ${app} --config jupyter_server_test_config.py`,
  url: `${url(place)}/${app === 'lab' ? 'lab' : 'tree'}`,
  timeout: 120_000,
  reuseExistingServer: false,
  gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  stdout: 'ignore',
  stderr: process.env.EXEDS_UI_LOG ? 'pipe' : 'ignore',
  env: { ...process.env, EXEDS_UI_PORT: String(port(place)), ...environment }
});

const scripted = {
  EXEDS_LAB_BASE_URL: `${url(1)}/v1`,
  EXEDS_LAB_MODEL: 'scripted',
  EXEDS_LAB_MAX_RETRIES: '0'
};

module.exports = {
  ...base,
  testDir: './tests',
  // Galata's default reporter under CI prints nothing that a person can read.
  reporter: [['list'], ['html', { open: 'never' }]],
  timeout: 90_000,
  expect: { ...base.expect, timeout: 15_000 },
  workers: 1,
  retries: process.env.CI ? 1 : 0,
  use: {
    ...base.use,
    viewport: { width: 1280, height: 800 },
    // Video needs an ffmpeg that Playwright would have to download.
    video: 'off',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.EXEDS_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage'
      ]
    }
  },
  projects: [
    {
      name: 'scripted model',
      testMatch: 'scripted/**/*.spec.ts',
      use: { baseURL: url(0) }
    },
    {
      name: 'embedded generator',
      testMatch: 'embedded/**/*.spec.ts',
      use: { baseURL: url(2) }
    },
    {
      name: 'notebook 7',
      testMatch: 'notebook7/**/*.spec.ts',
      use: { baseURL: url(3) }
    }
  ],
  webServer: [
    {
      command: `python -m tests.servers.openai_server --port ${port(1)} --script ui-tests/replies.json`,
      cwd: '..',
      url: `${url(1)}/control/state`,
      reuseExistingServer: false,
      stdout: 'ignore'
    },
    jupyter('lab', 0, scripted),
    jupyter('lab', 2, { EXEDS_LAB_LOCAL_MODEL: 'none' }),
    jupyter('notebook', 3, scripted)
  ]
};
