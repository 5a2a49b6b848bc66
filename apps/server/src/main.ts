import cluster from 'node:cluster'
import { v7 as uuid } from 'uuid'
import { makeLog } from './adapters/system/log.js'
import { runCluster, workerIsReady } from './cluster.js'
import { type Config, parseConfig, withListeningPort } from './config/config.js'
import type { WaitingServer } from './edge/http/waiting-server.js'
import { announce, type Terminal } from './edge/terminal/announce.js'
import { describeStartFailure, describeStop, explainListenFailure } from './edge/terminal/start-failure.js'
import { version } from './version.js'

const exitCodes = { failed: 1, misconfigured: 2 } as const

const terminal: Terminal = {
  isTTY: process.stdout.isTTY === true,
  // Without a terminal, programs read standard output. It therefore contains only the JSON of the log.
  write: (text) => void (process.stdout.isTTY ? process.stdout : process.stderr).write(text),
}

// The reader of the output may close it. The service then continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const parsed = parseConfig(process.env)
if (!parsed.ok) {
  process.stderr.write(
    `Parley cannot start. Correct these settings:\n\n${parsed.errors.map((line) => `  - ${line}\n`).join('')}\n`,
  )
  process.exit(exitCodes.misconfigured)
}

if (cluster.isPrimary && parsed.config.workers > 1) runCluster(parsed.config.workers)
else await run(parsed.config)

async function run(config: Config): Promise<void> {
  const instanceId = uuid()
  const log = makeLog(config.logLevel, terminal.isTTY, { instance: { instance: instanceId, version } })
  const fail = (error: Error): never => {
    log.fatal({ err: error }, 'Parley stopped because of an unexpected error')
    process.exit(exitCodes.failed)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', (reason) =>
    fail(reason instanceof Error ? reason : new Error(String(reason))),
  )

  /** Prints why the start failed, in one sentence. The stack is written to the debug log. */
  const explain = (error: Error): never => {
    log.debug({ err: error }, 'the start failed')
    process.stderr.write(`Parley cannot start: ${describeStartFailure(error)}\n`)
    process.exit(exitCodes.failed)
  }

  const { host, port } = config
  const explainListening = async (error: Error) => explain(await explainListenFailure(error, { host, port }))
  let waiting: WaitingServer | undefined
  // As the first process of a container, Node ignores signals that have no handler.
  const leave = () => process.exit(0)
  const onUnavailable = async () => {
    process.on('SIGTERM', leave)
    process.on('SIGINT', leave)
    const { makeWaitingServer } = await import('./edge/http/waiting-server.js')
    waiting = makeWaitingServer({ host, port })
    await waiting.listen().catch(explainListening)
  }
  // The database opens in its own thread while the remaining code loads, which saves a second. The primary process of a
  // cluster, and a process that cannot start, load neither.
  const [{ awaitDatabase }, { openWithSecrets }] = await Promise.all([
    import('./adapters/database/await-database.js'),
    import('./wiring/open-with-secrets.js'),
  ])
  const opened = openWithSecrets(config, { log, onCrash: fail }, (location, log, options) =>
    awaitDatabase(location, log, { ...options, onUnavailable }),
  )
  opened.catch(() => undefined)
  const { compose } = await import('./wiring/service.js')
  const service = await compose(config, { log, instanceId, opened, onFatal: fail }).catch(explain)
  process.removeListener('SIGTERM', leave)
  process.removeListener('SIGINT', leave)
  let isStopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      // Each worker gets the signal twice: from the terminal and from the primary. On a second signal, the
      // primary kills it.
      if (cluster.isWorker) return
      process.exit(exitCodes.failed)
    }
    isStopping = true
    // After Ctrl-C, an operator waits for the process to end, so it does not wait for approvals. They can be
    // given after the next start.
    const options = { onlyActive: signal === 'SIGINT' }
    const inProgress = service.inProgress(options)
    log.info({ signal, ...inProgress }, describeStop(inProgress, config.drainSeconds))
    service.close(options).then(() => process.exit(0), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (cluster.isPrimary)
    process.on('SIGUSR2', () => {
      log.warn({}, 'SIGUSR2 replaces workers, and this service has none; set PARLEY_WORKERS, or restart it')
    })

  await waiting?.close()
  const listening = await service.listen({ host, port }).catch(explainListening)

  // The first worker prints the start screen for all workers.
  if (cluster.isPrimary || cluster.worker?.id === 1) {
    await announce(terminal, withListeningPort(config, listening.port), { version, ...listening })
  }
  if (cluster.isWorker) process.send?.(workerIsReady)
}
