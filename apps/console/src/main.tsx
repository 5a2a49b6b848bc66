import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './app/global.css'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app'
import { nonce } from './app/nonce'

// The scroll lock of drawers and dialogs inserts its own style element.
setNonce(nonce)

const root = document.getElementById('root')
if (root === null) throw new Error('Element #root not found.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
