// What the tests of the page share: arguments, programs that are started and ended, the browser.
import {spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, rmSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {decodePng} from './png.mjs';

// Software GL beside a running simulation is slow [ms].
const kPatience = 180000;

const {values} = parseArgs({options: Object.fromEntries(
    ['program', 'sample', 'web', 'work', 'scenes', 'only', 'runs'].map((n) => [n, {type: 'string'}]))});
export const options = {...values, work: path.resolve(values.work)};

export const pause = (ms) => new Promise((r) => setTimeout(r, ms));

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

function chromiumPath() {
  for (const p of ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']) if (existsSync(p)) return p;
  return skip('no chromium on this machine (apt install chromium)');
}

/// playwright-core, installed from the page's lock file into the work folder when it is not there yet.
function playwright() {
  const folder = path.join(options.work, 'node');
  if (!existsSync(path.join(folder, 'node_modules', 'playwright-core'))) {
    mkdirSync(folder, {recursive: true});
    for (const f of ['package.json', 'package-lock.json', '.npmrc']) cpSync(path.join(options.web, f), path.join(folder, f));
    const done = spawnSync('npm', ['ci', '--ignore-scripts', '--silent'], {cwd: folder, stdio: 'inherit'});
    if (done.status !== 0) skip('playwright-core cannot be had from npm');
  }
  return createRequire(path.join(folder, 'package.json'))('playwright-core');
}

export async function launch() {
  const executablePath = chromiumPath();
  return playwright().chromium.launch({executablePath, args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking',
    '--disable-component-update', '--disable-default-apps', '--disable-sync', '--no-first-run']});
}

export function sample(name, family, frames, ...sizes) {
  const out = path.join(options.work, name);
  rmSync(out, {recursive: true, force: true});
  mkdirSync(out, {recursive: true});
  const done = spawnSync(options.sample, [out, family, String(frames), ...sizes.map(String)], {stdio: 'inherit'});
  if (done.status !== 0) throw new Error(`sample_run ${family} failed`);
  return out;
}

export function start(...words) {
  const child = spawn(options.program, words, {stdio: ['ignore', 'pipe', 'pipe']});
  child.text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (d) => (child.text += d));
  child.ended = new Promise((r) => child.on('exit', r));
  return child;
}

/// `rivulet view` on a folder, until `close`.
export async function serve(folder) {
  const child = start('view', folder);
  for (let i = 0; i < 300 && !child.text.includes('http://'); i++) await pause(100);
  const address = /http:\/\/\S+/.exec(child.text)?.[0];
  if (!address) throw new Error(`rivulet view gave no address: ${child.text}`);
  return {address, close: async () => {
    child.kill('SIGINT');
    await child.ended;
  }};
}

/// A page that notes everything it complains about.
export async function open(browser, address) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  page.complaints = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && page.complaints.push(m.text()));
  page.on('pageerror', (e) => page.complaints.push(e.stack ?? e.message));
  page.on('request', (r) => {
    const url = r.url();
    if (!url.startsWith(new URL(address).origin + '/') && !url.startsWith('data:') && !url.startsWith('blob:'))
      page.complaints.push(`asks another host: ${url}`);
  });
  await page.goto(address, {timeout: kPatience});
  return page;
}

export const frameOf = (page) => page.evaluate(() => Number(document.body.dataset.frame ?? -1));
export const waitFor = (page, test, argument, timeout = 30000) => page.waitForFunction(test, argument, {timeout});
export const waitForFrame = (page, n) => waitFor(page, (k) => document.body.dataset.frame === String(k), n);

/// The 3-D view alone, without the cards on it.
export async function picture(page) {
  await page.evaluate(() => {
    for (const c of document.querySelectorAll('#stage .card, #alert')) c.style.visibility = 'hidden';
  });
  await pause(400);
  const shot = await page.locator('#view').screenshot({timeout: kPatience});
  await page.evaluate(() => {
    for (const c of document.querySelectorAll('#stage .card, #alert')) c.style.visibility = '';
  });
  return decodePng(shot);
}

export async function keepPicture(page, name) {
  const file = path.join(options.work, `${name}.png`);
  await page.screenshot({path: file, timeout: kPatience});
  if (statSync(file).size === 0) throw new Error('empty screenshot');
}
