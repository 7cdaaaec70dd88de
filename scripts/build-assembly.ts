// See scripts/build-assembly.
import { readFileSync, writeFileSync } from 'node:fs'
import { compileAssembly, MODULE_FILE, moduleSource } from './assembly-module.ts'

const source = moduleSource(compileAssembly())
if (!process.argv.includes('--check')) writeFileSync(MODULE_FILE, source)
else if (readFileSync(MODULE_FILE, 'utf8') !== source) {
  process.stderr.write('The module is not up to date: run sh scripts/build-assembly\n')
  process.exitCode = 1
}
