import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginFaker } from '@kubb/plugin-faker'
import { pluginMsw } from '@kubb/plugin-msw'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'

export default defineConfig({
  input: { path: process.env.DOCUMENT },
  output: { path: 'kubb', clean: true, format: false },
  plugins: [pluginOas(), pluginTs(), pluginClient(), pluginZod(), pluginFaker(), pluginMsw()],
})
