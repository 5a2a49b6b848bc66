import { loadSilero } from '../voice-activity/silero.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the voice activity detector.')
  const detect = await loadSilero()
  progress('The voice activity detector is ready.')
  return detect
})
