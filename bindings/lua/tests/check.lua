-- Counts checks; the last line of a test is `N passed, N failed`.
local M = { passed = 0, failed = 0 }

function M.check(condition, what)
    if condition then
        M.passed = M.passed + 1
    else
        M.failed = M.failed + 1
        if M.failed <= 50 then
            print("failed: " .. what)
        end
    end
    return condition
end

function M.equal(got, want, what)
    return M.check(got == want, ("%s: got %s, want %s"):format(what, tostring(got), tostring(want)))
end

function M.finish()
    print(("%d passed, %d failed"):format(M.passed, M.failed))
    os.exit(M.failed == 0 and M.passed > 0 and 0 or 1)
end

return M
