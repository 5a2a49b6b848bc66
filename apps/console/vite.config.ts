import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    // The policy of the page allows no data: script, and the SDK's worklet is one.
    assetsInlineLimit: 0,
    // These know light-dark(); what older ones would get instead follows no theme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Components are marked for servers that render them, and there is none here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
})
