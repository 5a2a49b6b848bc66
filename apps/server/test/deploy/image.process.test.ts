import { readdirSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTop, top } from '../support/deploy/deploy-files.js'
import { buildContext, contextFiles, copyImage } from '../support/deploy/image-tree.js'
import { cleanUp, newDirectory, slow, startParley } from '../support/process/parley-process.js'
import { findServiceUser } from '../support/services/programs/service-user.js'

let image = ''

beforeAll(async () => {
  const folder = await newDirectory()
  // Other users must be able to read it, as in an image.
  await chmod(folder, 0o755)
  image = join(folder, 'image')
  await buildContext(join(folder, 'context'))
  await copyImage(join(folder, 'context'), image)
}, 600_000)
afterAll(cleanUp)

describe('the container image', () => {
  test('has every source of every package in its build context [DEPLOY-4]', async () => {
    const files = await contextFiles()
    expect(files).toContain('apps/console/src/data/client.ts')
    expect(files.filter((path) => /(?:^|\/)\.env|^docs\/|\/node_modules\/|\/dist\//.test(path))).toEqual([])
  })

  test('builds from its context and contains the files of the service [DEPLOY-4]', async () => {
    expect(await readdir(join(image, 'apps/server/bundle'))).toEqual(
      expect.arrayContaining(['main.js', 'parley.js']),
    )
    expect(await readdir(join(image, 'apps/console/dist'))).toContain('index.html')
  })

  test('has a pre-built database that every user can read [DEPLOY-9]', async () => {
    const dist = join(image, 'packages/embedded-database/dist')
    const [template = ''] = (await readdir(dist)).filter((name) => name.startsWith('embedded-template-'))
    const entries = await readdir(join(dist, template), { recursive: true, withFileTypes: true })
    expect(entries.length).toBeGreaterThan(500)
    const unreadable: string[] = []
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      const wanted = entry.isDirectory() ? 0o005 : 0o004
      if (((await stat(path)).mode & wanted) !== wanted) unreadable.push(path)
    }
    expect(unreadable).toEqual([])
  })

  test('contains every file of the pre-built database [DEPLOY-9]', () => {
    const dockerfile = readTop('deploy/docker/Dockerfile')
    const [, patterns = ''] = /\\\( (.+) \\\) -delete/.exec(dockerfile) ?? []
    const removed = [...patterns.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob)
    expect(removed).toContain('*.[jt]s.map')
    const names = new Set(
      readdirSync(join(top, 'packages/embedded-database/dist'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.startsWith('embedded-template'))
        .map((path) => basename(path)),
    )
    expect(names).toContain('pg_filenode.map')
    const form = new RegExp(
      `^(?:${removed.map((glob) => glob.replaceAll('.', '\\.').replace('*', '.*')).join('|')})$`,
    )
    expect([...names].filter((name) => form.test(name))).toEqual([])
  })

  test(
    'starts on the embedded database as a user that owns none of its files, and serves the SDK [DEPLOY-9] [SDK-39]',
    slow,
    async () => {
      const user = findServiceUser()
      if (user === undefined)
        process.stderr.write('Not root: the service is started as the user who built it.\n')
      const dataDir = join(await newDirectory(), 'data')
      await mkdir(dataDir, { mode: 0o700 })
      if (user !== undefined) {
        await chmod(join(dataDir, '..'), 0o755)
        await chown(dataDir, user.uid, user.gid)
      }
      const parley = await startParley({
        program: join(image, 'apps/server/bundle/main.js'),
        env: { PARLEY_DATA_DIR: dataDir },
        ...(user && { user }),
      })
      const url = await parley.ready()
      const response = await fetch(`${url}/readyz`)
      expect(await response.json()).toMatchObject({ status: 'ready' })

      const tarball = await fetch(`${url}/sdk/parley-sdk.tgz`)
      // The image has no types, but the package that it serves has them.
      expect(gunzipSync(await tarball.arrayBuffer()).includes('package/dist/index.d.ts')).toBe(true)
    },
  )
})
