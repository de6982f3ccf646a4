const c=()=>{const {user,system}=process.cpuUsage(); return ((user+system)/1000).toFixed(0)};
const l=[['boot',c()]];
for (const m of process.env.M.split(',')) { await import(m); l.push([m,c()]); }
console.log(l.join(' '));
