import { findFreePort } from './free-port.js'
import { commandIn, type Installation, listenAddress } from './programs/installation.js'
import { findServiceUser } from './programs/service-user.js'
import { startSupervised, type TestService } from './supervised-service.js'

/*
 * No data outlives the run, so durability is traded for speed and space. Autovacuum is off in tests: its
 * workers would connect to template databases that are about to be cloned.
 */
const startScript = `
port=$1 address=$2 autovacuum=$3
initdb --pgdata data --username postgres --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync || exit
echo 'host all all all trust' >>data/pg_hba.conf
exec postgres -D data -p "$port" -h "$address" -k "$PWD" \
  -c max_connections=200 -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
  -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=64MB -c autovacuum="$autovacuum" -c jit=off
`

/** Starts a PostgreSQL server. Its URL is that of the superuser in the maintenance database. */
export async function startPostgresServer(
  installation: Installation,
  { autovacuum = 'off' }: { readonly autovacuum?: 'on' | 'off' } = {},
): Promise<TestService> {
  const port = await findFreePort()
  const script = ['sh', '-c', startScript, 'sh', String(port), listenAddress(installation), autovacuum]
  const user = installation.kind === 'folders' ? findServiceUser() : undefined
  const stop = await startSupervised({
    name: 'postgres',
    ...commandIn(installation, script, { port, account: 'postgres' }),
    readyLine: /database system is ready to accept connections/,
    ...(user && { user }),
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}
