import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTop, top } from '../../support/deploy/deploy-files.js'
import { cleanUp } from '../../support/process/parley-process.js'
import { type InstalledSdk, installSdk, programOfNpm } from '../../support/sdk/installed-sdk.js'

/** These check packages before they are published. */
const typeChecker = '@arethetypeswrong/cli@0.18.5'
const linter = 'publint@0.3.25'

let sdk: InstalledSdk

beforeAll(async () => {
  sdk = await installSdk()
})

afterAll(cleanUp)

describe('npm install of the address of the service, in an empty folder', () => {
  test('installs the package and runs no scripts [SDK-39]', async () => {
    const at = join(sdk.folder, 'node_modules/@parley/sdk')
    const { version, scripts } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))
    expect({ version, scripts }).toEqual({
      version: JSON.parse(readTop('packages/sdk/package.json')).version,
      scripts: undefined,
    })
    expect(await readFile(join(at, 'LICENSE'), 'utf8')).toBe(readTop('LICENSE'))
    expect((await readdir(at)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'audio.worklet.js',
      'dist',
      'package.json',
    ])
    const files = await readdir(at, { recursive: true })
    expect(files.filter((path) => /\.map$|tsbuildinfo|\.tgz|\.ts$(?<!\.d\.ts)/.test(path))).toEqual([])
  })

  test('gives a program the REST client and the realtime client [SDK-39]', async () => {
    const lines = [
      "import { Parley } from '@parley/sdk'",
      "import { connect } from '@parley/sdk/realtime'",
      "import { ParleyAgent } from '@parley/sdk/element'",
      'const { PARLEY_URL: baseUrl, PARLEY_ORG_ID: organizationId, PARLEY_API_KEY: apiKey } = process.env',
      'const parley = new Parley({ baseUrl, organizationId, apiKey })',
      "const { name } = await parley.agents.create({ name: 'Front desk' })",
      'console.log(name, typeof connect, typeof ParleyAgent)',
    ]
    await writeFile(join(sdk.folder, 'program.mjs'), lines.join('\n'))
    expect(await sdk.run(process.execPath, 'program.mjs')).toBe('Front desk function function\n')
  })

  test('gives pages every entry point [SDK-39]', async () => {
    await linkModules('react')
    const lines = [
      "export { connect } from '@parley/sdk/realtime'",
      "export { ParleyProvider, useVoice } from '@parley/sdk/react'",
      "export { ParleyAgent } from '@parley/sdk/element'",
    ]
    const input = join(sdk.folder, 'page.js')
    await writeFile(input, lines.join('\n'))
    const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
    const { output } = await bundle.generate()
    await bundle.close()
    expect(output[0].exports).toEqual(['ParleyAgent', 'ParleyProvider', 'connect', 'useVoice'])
    expect(output[0].imports).toEqual([])
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('gives TypeScript the types, with %s [SDK-39]', async (moduleResolution, module) => {
    await linkModules('react', '@types/react', 'csstype')
    const lines = [
      "import { type Agent, NotFoundError, Parley } from '@parley/sdk'",
      "import { connect, type VoiceState } from '@parley/sdk/realtime'",
      "import { ParleyProvider, useVoice } from '@parley/sdk/react'",
      "import { ParleyAgent } from '@parley/sdk/element'",
      "const agent: Promise<Agent> = new Parley({ baseUrl: 'http://parley', organizationId: 'o', apiKey: 'k' }).agents.get('id')",
      "export const state: VoiceState = (await connect({ ticket: '/session' })).getState()",
      'export const element: HTMLElement = new ParleyAgent()',
      'export { agent, NotFoundError, ParleyProvider, useVoice }',
      '// Without types, it would be any.',
      'export const isAny: 0 extends 1 & Agent ? true : false = false',
    ]
    await writeFile(join(sdk.folder, 'typed.mts'), lines.join('\n'))
    const options = [
      '--noEmit',
      '--strict',
      '--types',
      '',
      '--lib',
      'ES2023,DOM,DOM.Iterable,DOM.AsyncIterable',
    ]
    const compiler = join(top, 'node_modules/typescript/bin/tsc')
    await sdk.run(
      process.execPath,
      compiler,
      ...options,
      '--moduleResolution',
      moduleResolution,
      '--module',
      module,
      'typed.mts',
    )
  })
})

test('the package is sent once and confirmed from then on [SDK-39]', async () => {
  const address = `${sdk.url}/sdk/parley-sdk.tgz`
  const answer = await fetch(address)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/gzip',
    'cache-control': 'public, no-cache',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  })
  // It is compressed already.
  expect(answer.headers.get('content-encoding')).toBeNull()
  const again = await fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

describe('the package is ready to be published', { timeout: 180_000 }, () => {
  const tarball = join(top, 'packages/sdk/dist/parley-sdk.tgz')

  test('publint finds no mistakes [SDK-42]', async () => {
    expect(await sdk.run(...programOfNpm(linter, 'publint'), 'run', tarball, '--strict')).toContain(
      'All good!',
    )
  })

  test('attw finds types for every entry point that has any [SDK-42]', async () => {
    // The package is ESM only, and the worklet is a file for pages.
    const options = ['--profile', 'esm-only', '--exclude-entrypoints', 'audio.worklet.js', '--format', 'json']
    const found = await sdk.run(...programOfNpm(typeChecker, 'attw'), tarball, ...options)
    expect(JSON.parse(found)).toMatchObject({ problems: {} })
  })

  test('its manifest has what a registry shows, and nothing that keeps it private [SDK-42]', () => {
    const manifest = JSON.parse(readTop('packages/sdk/package.json'))
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      description: expect.any(String),
      keywords: expect.any(Array),
      publishConfig: { access: 'public' },
    })
    expect(manifest).not.toHaveProperty('private')
  })
})

test('the package has at most 180 KB, and 740 KB unpacked [SDK-39]', async () => {
  const { byteLength } = await (await fetch(`${sdk.url}/sdk/parley-sdk.tgz`)).arrayBuffer()
  expect(byteLength).toBeLessThan(180_000)
  const entries = await readdir(join(sdk.folder, 'node_modules/@parley/sdk'), {
    recursive: true,
    withFileTypes: true,
  })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await readFile(join(parentPath, name))).length),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(740_000)
})

/** Links packages that a user of the entry points for pages has. */
async function linkModules(...names: readonly string[]): Promise<void> {
  await mkdir(join(sdk.folder, 'node_modules/@types'), { recursive: true })
  for (const name of names)
    await symlink(join(top, 'node_modules', name), join(sdk.folder, 'node_modules', name)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
}
