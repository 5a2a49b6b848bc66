import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoriesWith } from '../find-program.js'
import type { Installation } from './installation.js'
import { keptFolder } from './program-folder.js'
import { runCommand } from './run-command.js'

const aptLists = '/var/lib/apt/lists'

/**
 * Unpacks programs from the distribution's package and its dependencies into a private folder. Nothing is
 * installed, so root is not needed.
 */
export function unpackDebianPackage(
  name: string,
  programs: readonly string[],
  // Other folders contain scripts of the same name that start the installed program.
  placeOfPrograms = /\/s?bin$/,
  // Packages whose files must lie beside the programs, even if the machine has them elsewhere.
  companions: readonly string[] = [],
) {
  return async (): Promise<Installation | undefined> => {
    if (process.platform !== 'linux') return undefined
    const folder = await keptFolder(`${name}-debian-${process.arch}`, (unfinished) =>
      unpack([name, ...companions], unfinished),
    )
    const below = await readdir(folder, { recursive: true, withFileTypes: true })
    const folders = below
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
    const programFolders = folders.filter((path) => placeOfPrograms.test(path))
    const [found] = await directoriesWith(programs, programFolders)
    if (found === undefined) throw new Error(`the package ${name} does not contain ${programs.join(' and ')}`)
    // PulseAudio's library links to another library by an absolute path.
    const libraries = folders.filter((path) => /\/lib(?:\/[^/]+-linux-[^/]+(?:\/pulseaudio)?)?$/.test(path))
    const origin = `unpacked from the package ${name}`
    const fonts = folders.find((path) => path.endsWith('/usr/share/fonts'))
    const fontConfig = fonts === undefined ? {} : { fontConfig: await configureFonts(folder, fonts) }
    return { kind: 'folders', origin, programs: found, libraries, ...fontConfig }
  }
}

/** The packages' own configuration only contains the system's folders. */
async function configureFonts(folder: string, fonts: string): Promise<string> {
  const path = join(folder, 'fonts.conf')
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  ]
  await writeFile(path, lines.join('\n'))
  return path
}

async function unpack(names: readonly string[], folder: string): Promise<void> {
  const packages = join(folder, 'packages')
  await mkdir(packages)
  try {
    if (!(await hasLists())) throw new Error('no package lists')
    await download(names, [], packages)
  } catch {
    // The machine's package lists are missing or older than its mirror.
    ownLists ??= fetchLists()
    await download(names, await ownLists, packages)
  }
  for (const file of await readdir(packages))
    await runCommand(['dpkg', '-x', join(packages, file), folder], { timeoutSeconds: 60 })
  await rm(packages, { recursive: true })
}

let ownLists: Promise<readonly string[]> | undefined

/**
 * Downloads private package lists, which does not require root, once for all packages of this process.
 * Returns the apt options that select them.
 */
async function fetchLists(): Promise<readonly string[]> {
  const work = await mkdtemp(join(tmpdir(), 'parley-test-lists-'))
  process.once('exit', () => rmSync(work, { recursive: true, force: true }))
  for (const part of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(work, part), { recursive: true })
  const options = [
    ...['-o', `Dir::State::lists=${work}/lists`],
    ...['-o', `Dir::Cache=${work}/cache`],
    // Under root, apt downloads as another user, which could not write to this folder.
    ...['-o', 'APT::Sandbox::User=root'],
  ]
  await runCommand(['apt-get', ...options, 'update', '-qq'], { timeoutSeconds: 120 })
  return options
}

/** Downloads the packages and those of their dependencies that are not installed on this machine. */
async function download(names: readonly string[], options: readonly string[], folder: string): Promise<void> {
  const plan = await runCommand(
    ['apt-get', ...options, 'install', '--simulate', '--no-install-recommends', ...names],
    { timeoutSeconds: 60 },
  )
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, dependency = '']) => dependency)
  await runCommand(['apt-get', ...options, 'download', '-qq', ...new Set([...names, ...missing])], {
    timeoutSeconds: 180,
    cwd: folder,
  })
}

async function hasLists(): Promise<boolean> {
  const names = await readdir(aptLists).catch(() => [])
  return names.some((name) => name.includes('_Packages'))
}
