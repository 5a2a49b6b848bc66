import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closeAfterwards } from '../close-afterwards.js'
import { requireLocalName } from '../http/local-name.js'
import { findFreePort } from '../services/free-port.js'
import { findInstallation } from '../services/programs/find-installation.js'
import { commandIn } from '../services/programs/installation.js'
import { findServiceUser } from '../services/programs/service-user.js'
import { wantedPrograms } from '../services/programs/wanted-programs.js'
import { startSupervised } from '../services/supervised-service.js'
import { temporaryParent } from '../services/temporary-parent.js'
import { readTop } from './deploy-files.js'
import { localCertificate } from './local-certificate.js'

/** A proxy with its file of `deploy/` in front of service instances. Users reach it over TLS. */
export interface ExampleProxy {
  readonly url: string
  /** The certificate authority that users must trust. */
  readonly caFile: string
}

type Replacement = readonly [given: string, own: string]

/** Replaces the addresses of the example with those of this machine. Throws if one is missing. */
function withOwn(path: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, [given, own]) => {
    if (!text.includes(given)) throw new Error(`${path} has no ${JSON.stringify(given)}`)
    return text.replaceAll(given, own)
  }, readTop(path))
}

const hostsOf = (urls: readonly string[]) => urls.map((url) => new URL(url).host)

const nginxScript = `
printf %s "$1" >nginx.conf
printf %s "$2" >fullchain.pem
printf %s "$3" >privkey.pem
exec nginx -p "$PWD" -c nginx.conf -e stderr
`

export async function startNginx(instances: readonly string[]): Promise<ExampleProxy> {
  await requireLocalName()
  const [port, ...others] = await Promise.all(Array.from({ length: 4 }, findFreePort))
  const server = '    server 127.0.0.1:8080 max_fails=0;'
  const example = withOwn('deploy/nginx/parley.conf', [
    [
      server,
      hostsOf(instances)
        .map((host) => server.replace('127.0.0.1:8080', host))
        .join('\n'),
    ],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    // Some machines have no IPv6.
    ['listen [::]:443 ', `listen 127.0.0.1:${others[0]} `],
    ['listen 80;', `listen 127.0.0.1:${others[1]};`],
    ['listen [::]:80;', `listen 127.0.0.1:${others[2]};`],
    ['parley.example.com', 'localhost'],
    ['/etc/ssl/parley/', ''],
  ])
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  )
  const whole = `daemon off; pid nginx.pid; error_log stderr notice; worker_processes 1;
events { }
http { access_log off; ${folders.join(' ')}
${example}
}`
  const folder = await newFolder()
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, localCertificate.cert)
  await start('nginx', ['sh', '-c', nginxScript, 'sh', whole, localCertificate.cert, localCertificate.key], {
    readyLine: /start worker process /,
  })
  return { url: `https://localhost:${port}`, caFile }
}

/** Caddy issues certificates for local names from its own authority. */
export async function startCaddy(instances: readonly string[]): Promise<ExampleProxy> {
  await requireLocalName()
  const [port, redirectPort] = await Promise.all([findFreePort(), findFreePort()])
  const ofThisMachine = [
    'admin off',
    `http_port ${redirectPort}`,
    'default_bind 127.0.0.1',
    'skip_install_trust',
  ]
  const example = withOwn('deploy/caddy/Caddyfile', [
    ['\n{\n', `\n{\n${ofThisMachine.map((line) => `\t${line}\n`).join('')}`],
    ['parley.example.com {', `localhost:${port} {`],
    ['reverse_proxy 127.0.0.1:8080 {', `reverse_proxy ${hostsOf(instances).join(' ')} {`],
  ])
  const folder = await newFolder()
  const script = `printf %s "$1" >Caddyfile; exec caddy run --config Caddyfile --adapter caddyfile`
  await start('caddy', ['sh', '-c', script, 'sh', example], {
    environment: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    readyLine:
      /certificate obtained successfully[\s\S]*serving initial|serving initial[\s\S]*certificate obtained/,
  })
  return {
    url: `https://localhost:${port}`,
    caFile: join(folder, 'caddy/pki/authorities/local/root.crt'),
  }
}

async function start(
  name: 'nginx' | 'caddy',
  command: readonly string[],
  options: { readonly readyLine: RegExp; readonly environment?: Readonly<Record<string, string>> },
): Promise<void> {
  const { installation } = await findInstallation(wantedPrograms[name], () => undefined)
  const runnable = commandIn(installation, command)
  const user = findServiceUser()
  const stop = await startSupervised({
    name,
    command: runnable.command,
    environment: { ...runnable.environment, ...options.environment },
    readyLine: options.readyLine,
    ...(user && { user }),
  })
  closeAfterwards(stop)
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(await temporaryParent(), 'parley-test-proxy-'))
  closeAfterwards(() => rm(folder, { recursive: true, force: true }))
  const user = findServiceUser()
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}
