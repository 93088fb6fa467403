// Judges waves that 'tracer-demo bench --only characters --glyphs DIR --export FILE' wrote by HanziWriter's own matcher.
//
//   node hanzi-writer.js DIRECTORY FILE      DIRECTORY: a clone of chanind/hanzi-writer
const fs = require('fs')
const [directory, file] = process.argv.slice(2)

// The sources without their types and modules.
const source = ['utils', 'geometry', 'models/Stroke', 'strokeMatches'].map(name =>
    fs.readFileSync(`${directory}/src/${name}.ts`, 'utf8')
        .replace(/^import [^;]*;$/gm, '')
        .replace(/^export interface [^]*?^}$/gm, '')
        .replace(/^export (default )?/gm, '')
        .replace(/^  (path|points|strokeNum|isInRadical): .*;$/gm, '')
        .replace(/\?: \{[^{}]*\}/g, '')
        .replace(/: \{\n[^{}]*\}( = \{\},?\n\))?/g, (_, end) => end ?? '')
        .replace(/\): [A-Z]\w*( & \{[^{}]*\})? (=>|\{)/g, ') $2')
        .replace(/\): number (=>|\{)/g, ') $1')
        .replace(/(\w)\??: (Point|number|Stroke|UserStroke|Character|string|boolean)(\[\])?/g, '$1')
        .replace(/<T\w*>|: Array<T\w*>|: (T\w*|any)\b(\[\])?/g, '')
        .replace(/!;/g, ';'))
// Of the utilities it takes two.
const utilities = source[0].match(/^(const|function) (average|arrLast)\b[^]*?^}/gm).join('\n')
const { strokeMatches, Stroke } = new Function(
    `${[utilities, ...source.slice(1)].join('\n')}\nreturn { strokeMatches, Stroke }`)()

// HanziWriter's y axis points up.
const points = text => text.split(' ').map(pair => pair.split(',').map(Number)).map(([x, y]) => ({ x, y: 900 - y }))
const [glyphs, waves] = fs.readFileSync(file, 'utf8').split('\n\n').map(part => part.split('\n').filter(line => line))
const characters = glyphs.map(line => ({ strokes: line.split(';').map((stroke, n) => new Stroke('', points(stroke), n)) }))
const table = new Map()
for (const line of waves) {
    const [character, stroke, amplitude, number, isOurs, ...rest] = line.split(' ')
    const isTheirs = strokeMatches({ points: points(rest.join(' ')) }, characters[character], Number(stroke)).isMatch
    const key = `${amplitude} ${number}`
    const row = table.get(key) ?? table.set(key, { traces: 0, ours: 0, theirs: 0 }).get(key)
    row.traces += 1
    row.ours += Number(isOurs)
    row.theirs += isTheirs ? 1 : 0
}
console.log('amplitude, waves      Tracer  HanziWriter, accepted in percent')
const percent = (part, whole) => (100 * part / whole).toFixed(2).padStart(10)
let isFine = true
for (const [key, { traces, ours, theirs }] of table) {
    console.log(key.padEnd(18) + percent(ours, traces) + percent(theirs, traces))
    // Three waves of 15 percent are as steep as a zigzag.
    isFine &&= ours >= theirs || key === '0.15 3'
}
process.exit(isFine ? 0 : 1)
