import { loadFlite } from '../text-to-speech/flite.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the voice.')
  const speak = await loadFlite()
  // The first sentence pays for the compiler's warming up; nobody should hear that.
  speak({ text: 'Ready.', voice: 'slt', speed: 1 })
  progress('The voice is ready.')
  return speak
})
