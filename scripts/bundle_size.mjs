// bundle_size: fail when what a page loads of the built front end is 120 kB or more, gzipped.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FOLDER = 'exeds_lab/labextension/static';
const LIMIT_KB = 120;

const kilobytes = readdirSync(FOLDER)
  .filter(name => name.endsWith('.js'))
  .map(name => gzipSync(readFileSync(`${FOLDER}/${name}`)).length / 1000)
  .reduce((sum, size) => sum + size, 0);

console.log(`front end: ${kilobytes.toFixed(1)} kB gzipped, limit ${LIMIT_KB}`);
if (kilobytes === 0 || kilobytes >= LIMIT_KB) {
  process.exit(1);
}
