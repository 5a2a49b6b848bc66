import { afterAll } from 'vitest'
import { closeWhatIsLeft } from './close-afterwards.js'

// Registered before the hooks of the file itself, and therefore run after them.
afterAll(closeWhatIsLeft)
