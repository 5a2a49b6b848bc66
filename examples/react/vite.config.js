// Run it with `npx vite examples/react`. Sessions come from your backend, for example examples/node-backend.
import { defineConfig } from 'vite'

const { BACKEND_URL = 'http://127.0.0.1:3000' } = process.env

export default defineConfig({ server: { proxy: { '/session': BACKEND_URL } } })
