// Builds the image with buildah and starts it with podman: embedded database, uid 1000, read-only root file system. Needs
// root on Debian with the packages buildah, podman and debootstrap. If the Dockerfile's base images are missing, stand-ins
// with the same names are made from Debian packages and npm's Node package.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fetchNode } from './node-versions.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))
const dockerfile = 'deploy/docker/Dockerfile'
const nodeVersion = '22.23.3'
const port = '18080'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const missing = ['buildah', 'podman', 'debootstrap'].filter((name) => spawnSync(name, ['--version']).error)
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.error(
    `This check needs root and buildah, podman and debootstrap${missing.map((name) => `; ${name} is missing`).join('')}.`,
  )
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-image-'))
try {
  await makeBases()
  run(
    'buildah',
    'bud',
    '--format',
    'docker',
    '--network',
    'host',
    '--layers',
    '--file',
    dockerfile,
    '--tag',
    'parley:check',
    ...process.argv.slice(2),
    '.',
  )
  await start()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function makeBases() {
  const [, node] = /^ARG NODE_IMAGE=(.+)$/m.exec(readFileSync(join(top, dockerfile), 'utf8'))
  const [, debian] = /^ARG BASE_IMAGE=(.+)$/m.exec(readFileSync(join(top, dockerfile), 'utf8'))
  if ([node, debian].every((name) => spawnSync('buildah', ['inspect', '--type', 'image', name]).status === 0))
    return
  const system = join(folder, 'system')
  run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', system)
  for (const name of ['doc', 'info', 'locale', 'man'])
    rmSync(join(system, 'usr/share', name), { recursive: true, force: true })
  for (const name of ['cache/apt', 'lib/apt/lists'])
    rmSync(join(system, 'var', name), { recursive: true, force: true })
  makeImage(system, debian, [])
  const local = join(system, 'usr/local')
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
  copyFileSync(await fetchNode(nodeVersion), join(local, 'bin/node'))
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
  cpSync(join(npm, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  // A private registry with a local certificate authority.
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const own = '/usr/local/share/authorities.pem'
  if (authorities !== undefined) copyFileSync(authorities, join(system, own))
  makeImage(system, node, authorities === undefined ? [] : ['--env', `NODE_EXTRA_CA_CERTS=${own}`])
}

function makeImage(system, name, settings) {
  const container = execFileSync('buildah', ['from', 'scratch'], { encoding: 'utf8' }).trim()
  run('buildah', 'copy', container, system, '/')
  run('buildah', 'config', '--env', `PATH=${path}`, ...settings, container)
  run('buildah', 'commit', '--rm', container, name)
}

async function start() {
  const limits = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--no-healthcheck',
    '--ulimit',
    'nofile=20000:20000',
    '--ulimit',
    'nproc=10000:10000',
  ]
  const given = ['run', '--detach', '--network', 'host', '--env', `PORT=${port}`, ...limits, 'parley:check']
  const began = performance.now()
  const id = execFileSync('podman', given, { encoding: 'utf8' }).trim()
  try {
    while (!(await isReady())) {
      if (performance.now() - began > 120_000) throw new Error('the service was not ready within two minutes')
      await pause(100)
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const size = execFileSync('podman', ['image', 'inspect', '--format', '{{.Size}}', 'parley:check'], {
      encoding: 'utf8',
    })
    const memory = execFileSync('podman', ['exec', id, 'cat', '/proc/1/status'], { encoding: 'utf8' })
    run('podman', 'exec', id, 'parley', 'doctor')
    console.log(
      `ready after ${seconds} s, ${/VmRSS:\s+(\d+)/.exec(memory)?.[1] / 1024} MiB, image ${(Number(size) / 1e6).toFixed(0)} MB`,
    )
  } finally {
    run('podman', 'logs', '--tail', '20', id)
    run('podman', 'rm', '--force', '--volumes', id)
  }
}

function isReady() {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: top, stdio: 'inherit' })
}
