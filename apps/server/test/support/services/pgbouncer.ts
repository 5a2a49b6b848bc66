import { findFreePort } from './free-port.js'
import { findInstallation } from './programs/find-installation.js'
import { commandIn } from './programs/installation.js'
import { findServiceUser } from './programs/service-user.js'
import { wantedPrograms } from './programs/wanted-programs.js'
import { startSupervised } from './supervised-service.js'

export interface PgBouncer {
  /** Returns the URL of the same database through the pooler. */
  rewriteUrl(databaseUrl: string): string
  stop(): Promise<void>
}

/*
 * All clients share a few server connections in transaction mode, the most recently used first. A client that
 * relies on session state soon gets a connection with another client's state.
 */
const startScript = `
port=$1 server=$2
cat >pgbouncer.ini <<END
[databases]
* = host=127.0.0.1 port=$server user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
END
exec pgbouncer pgbouncer.ini
`

/** Starts PgBouncer in transaction mode in front of this PostgreSQL server. */
export async function startPgBouncer(postgresUrl: string): Promise<PgBouncer> {
  const { installation } = await findInstallation(wantedPrograms.pgbouncer, () => undefined)
  const port = await findFreePort()
  const user = findServiceUser()
  const stop = await startSupervised({
    name: 'pgbouncer',
    ...commandIn(installation, ['sh', '-c', startScript, 'sh', String(port), new URL(postgresUrl).port]),
    readyLine: /process up: PgBouncer/,
    ...(user && { user }),
  })
  return {
    rewriteUrl(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    stop,
  }
}
