import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'
import { readTop, top } from './deploy-files.js'

const run = promisify(execFile)

/** The files of a commit of this checkout, without those that the ignore file hides from `docker build`. */
export async function contextFiles(): Promise<readonly string[]> {
  const given = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', given, { cwd: top, maxBuffer: 64 * 1024 ** 2 })
  const ignored = dockerignore
    .default({ ignorecase: false })
    .add(readTop('deploy/docker/Dockerfile.dockerignore'))
  return stdout
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(top, path)) && !ignored.ignores(path))
}

/**
 * Copies the build context into `folder` and runs the Dockerfile's build there. Installed packages are
 * linked.
 */
export async function buildContext(folder: string): Promise<void> {
  for (const path of await contextFiles()) await copyTo(join(folder, path), join(top, path))
  await linkPackages(folder)
  const [, command = ''] =
    /^COPY \. \.\nRUN ((?:.*\\\n)*.*)$/m.exec(readTop('deploy/docker/Dockerfile')) ?? []
  await run('sh', ['-ec', command], { cwd: folder, maxBuffer: 64 * 1024 ** 2 }).catch((error) => {
    throw new Error(`The image cannot be built:\n${error.stdout}${error.stderr}`)
  })
}

/** Copies the files of the built tree that the Dockerfile puts into the image to `folder`. */
export async function copyImage(built: string, folder: string): Promise<void> {
  const steps = readTop('deploy/docker/Dockerfile').matchAll(/^COPY --from=build (.+) (\S+)$/gm)
  for (const [, sources = '', target = ''] of steps)
    for (const source of sources.split(' ')) {
      const path = source.replace('/parley/', '')
      const copy = target.endsWith('/') ? join(target, path.slice(path.lastIndexOf('/') + 1)) : target
      await copyTo(join(folder, copy), join(built, path))
    }
  await linkPackages(folder)
}

async function copyTo(target: string, source: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await cp(source, target, { recursive: true, preserveTimestamps: true })
}

/** Links the workspace packages to their copies in `folder`. */
async function linkPackages(folder: string): Promise<void> {
  const own = 'node_modules/@parley'
  await mkdir(join(folder, own), { recursive: true })
  for (const name of await readdir(join(top, 'node_modules')))
    if (name !== '@parley') await symlink(join(top, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of await readdir(join(top, own)))
    await symlink(await readlink(join(top, own, name)), join(folder, own, name))
  await symlink(join(top, 'apps/server/node_modules'), join(folder, 'apps/server/node_modules'))
}
