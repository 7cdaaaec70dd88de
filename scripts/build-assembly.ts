// See scripts/build-assembly.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  compileAssembly,
  LAYOUT_FILE,
  layoutSource,
  MODULE_FILE,
  moduleSource,
} from './assembly-module.ts'

const made = new Map([
  [MODULE_FILE, moduleSource(compileAssembly())],
  [LAYOUT_FILE, layoutSource()],
])
const isCheck = process.argv.includes('--check')
for (const [file, source] of made) {
  if (!isCheck) writeFileSync(file, source)
  else if (readFileSync(file, 'utf8') !== source) {
    process.stderr.write(`${file} is not up to date: run sh scripts/build-assembly\n`)
    process.exitCode = 1
  }
}
