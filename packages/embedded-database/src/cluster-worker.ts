import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { initdbParameters, postgresSettings } from './cluster-settings.js'

/** The job of the thread: creating a new cluster, or restoring one from the tar archive of a backup. */
export interface ClusterWorkerData {
  readonly directory: string
  readonly archive: ArrayBuffer | null
}

const { directory, archive }: ClusterWorkerData = workerData
const database = await PGlite.create({
  dataDir: directory,
  ...(archive === null
    ? { initDbStartParams: initdbParameters }
    : {
        loadDataDir: new Blob([archive], { type: 'application/x-tar' }),
        postgresqlconf: postgresSettings,
      }),
})
await database.query('select 1')
await database.close()
