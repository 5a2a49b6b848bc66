import { loadFlite } from '../text-to-speech/flite.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the voice.')
  const speak = await loadFlite()
  // The first sentence is slow because of compilation, so warm up before the first user hears one.
  speak({ text: 'Ready.', voice: 'slt', speed: 1 })
  progress('The voice is ready.')
  return speak
})
