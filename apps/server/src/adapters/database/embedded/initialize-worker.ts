import { workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { initdbParameters } from './cluster-settings.js'

const directory: string = workerData
const database = await PGlite.create({ dataDir: directory, initDbStartParams: initdbParameters })
await database.close()
