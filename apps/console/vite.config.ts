import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    // The content security policy forbids data: scripts, and the SDK's worklet would be one.
    assetsInlineLimit: 0,
    // These browsers support light-dark(). The fallback for older ones would ignore the theme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" directives serve server rendering, which the console does not use.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
})
