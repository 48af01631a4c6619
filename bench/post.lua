-- For wrk: the same POST again and again, and the result as one line of JSON.
--     wrk ... -s post.lua URL -- BODY "Name: value" ...
function init(args)
    wrk.method = "POST"
    wrk.body = args[1]
    for i = 2, #args do
        local name, value = args[i]:match("^([^:]+): (.*)$")
        wrk.headers[name] = value
    end
end

function done(summary, latency)
    local e = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"us":%d,"bytes":%d,"errors":%d,"p50":%d,"p99":%d,"max":%d}\n',
        summary.requests, summary.duration, summary.bytes,
        e.connect + e.read + e.write + e.status + e.timeout,
        latency:percentile(50), latency:percentile(99), latency.max))
end
