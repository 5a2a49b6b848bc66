import { afterAll } from 'vitest'
import { closeWhatIsLeft } from './close-afterwards.js'

// Registered before the hooks of the file, so it runs after them.
afterAll(closeWhatIsLeft)
