import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { postgresSettings } from './cluster-settings.js'

const { directory, archive }: { readonly directory: string; readonly archive: ArrayBuffer } = workerData
const database = await PGlite.create({
  dataDir: directory,
  loadDataDir: new Blob([archive], { type: 'application/x-tar' }),
  postgresqlconf: postgresSettings,
})
await database.query('select 1')
await database.close()
