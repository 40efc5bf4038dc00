const base = require('@jupyterlab/galata/lib/playwright-config');

const port = process.env.EXEDS_UI_PORT ?? '18888';
const url = `http://127.0.0.1:${port}`;
// Galata's helpers build their own addresses from this one.
process.env.TARGET_URL = url;

module.exports = {
  ...base,
  testDir: './tests',
  // Galata's default reporter under CI prints nothing that a person can read.
  reporter: [['list'], ['html', { open: 'never' }]],
  timeout: 90_000,
  workers: 1,
  retries: process.env.CI ? 1 : 0,
  use: {
    ...base.use,
    baseURL: url,
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
  webServer: {
    command: 'jupyter lab --config jupyter_server_test_config.py',
    url: `${url}/lab`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    stdout: 'ignore',
    stderr: process.env.EXEDS_UI_LOG ? 'pipe' : 'ignore'
  }
};
