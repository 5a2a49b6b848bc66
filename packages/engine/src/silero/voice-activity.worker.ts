import { serveJobs } from '../workers/serve-jobs.js'
import { loadSilero } from './silero.js'

serveJobs(async (progress) => {
  progress('Loading the voice activity detector.')
  const detect = await loadSilero()
  progress('The voice activity detector is ready.')
  return detect
})
