import { afterAll } from 'vitest'
import { closeRemaining } from './close-afterwards.js'

// Registered before the hooks of the file, so it runs after them.
afterAll(closeRemaining)
